import { NewPet, parseInt64 } from '@petstore/contract';
import { trimBlankStart } from './blank.ts';

export type FieldName = keyof NewPet;

interface Field {
  label: string;
  /** Tells the user which values are allowed. The schema's own messages are for developers. */
  invalid: string;
  /** Converts the text to the property's type, or to `undefined` if it is invalid. @default the text is the value */
  read?(text: string): unknown;
}

/** All fields. TypeScript reports a property of the contract that is missing here. */
export const fields: Record<FieldName, Field> = {
  name: { label: 'Name', invalid: 'Name has characters that are not allowed' },
  categoryId: {
    label: 'Category',
    // Simpler than the limits: int64 also has some numbers of 19 digits.
    invalid: 'Category must be a whole number of at most 18 digits, such as 7',
    read: (text) => parseInt64(text.trim()),
  },
  status: { label: 'Status', invalid: 'Status must be one of the list' },
};

export const fieldNames: readonly FieldName[] = NewPet.keyof().options;

/** The fields that the pages show without code of their own: none, until the contract gets another property. */
export const genericFieldNames = fieldNames.filter(
  (name) => !['name', 'categoryId', 'status'].includes(name),
);

export const isRequired = (name: FieldName): boolean => !NewPet.shape[name].safeParse(undefined).success;

/** The text that a user has entered in each field, or the error message of each field. */
export type FieldTexts = Partial<Record<FieldName, string>>;

/** Pasted text can contain these characters. `sendPage` would show most of them as text such as [U+001E]. */
const UNWANTED = /[\p{Cc}\p{Noncharacter_Code_Point}]/gu;

export function readFormValues(data: FormData): FieldTexts {
  const values: FieldTexts = {};
  for (const name of fieldNames) {
    const value = data.get(name);
    // A value can also be a file, which no field of this form takes.
    if (typeof value === 'string') values[name] = value.replaceAll(UNWANTED, '');
  }
  return values;
}

/** Validates the form by the schema of the contract. A blank field counts as missing. */
export function parseNewPet(values: FieldTexts): { pet: NewPet } | { errors: FieldTexts } {
  const isBlank = (name: FieldName) => trimBlankStart(values[name] ?? '') === '';
  const entries = fieldNames.map((name) => [name, isBlank(name) ? undefined : readField(name, values[name])]);
  const result = NewPet.safeParse(Object.fromEntries(entries));
  if (result.success) return { pet: result.data };
  const errors: FieldTexts = {};
  for (const name of fieldNames) {
    if (!result.error.issues.some(({ path }) => path[0] === name)) continue;
    errors[name] = isBlank(name) ? `${fields[name].label} is required` : fields[name].invalid;
  }
  return { errors };
}

// Text that cannot be converted stays text, and the schema refuses it.
const readField = (name: FieldName, text = '') => fields[name].read?.(text) ?? text;
