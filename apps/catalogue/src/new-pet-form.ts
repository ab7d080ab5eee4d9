import { NewPet, parseInt64 } from '@petstore/contract';
import * as z from 'zod/mini';

/** A field of the form, which is a property of NewPet. */
interface Field {
  label: string;
  /** What a user is told of a value that the contract does not allow. The messages of its schema are for developers. */
  invalid: string;
  /** Reads the text as a value that is no text; `undefined` where it is none. */
  read?(text: string): unknown;
}

/** All fields. A property that the contract adds does not compile until it stands here. */
export const fields: Record<keyof NewPet, Field> = {
  name: { label: 'Name', invalid: 'Name has characters that are not allowed' },
  categoryId: {
    label: 'Category',
    invalid: 'Category must be a whole number of at most 18 digits, such as 7',
    read: (text) => parseInt64(text.trim()),
  },
  status: { label: 'Status', invalid: 'Status must be one of the list' },
};

export type FieldName = keyof NewPet;

export const fieldNames: readonly FieldName[] = z.keyof(NewPet).options;

/** The fields that the pages show as plain text, without a form of their own. */
export const otherFieldNames = fieldNames.filter((name) => !['name', 'categoryId', 'status'].includes(name));

export const isRequired = (name: FieldName): boolean => !NewPet.shape[name].safeParse(undefined).success;

/** What a user has entered, as text; or what is wrong with it, as a sentence. */
export type FieldTexts = Partial<Record<FieldName, string>>;

export function readFormValues(data: FormData): FieldTexts {
  const values: FieldTexts = {};
  for (const name of fieldNames) {
    const value = data.get(name);
    // A file is none of the form's fields. Text that is pasted can have control characters.
    if (typeof value === 'string') values[name] = value.replaceAll(/\p{Cc}/gu, '');
  }
  return values;
}

/** Checks what a user has entered by the schema of the contract, and that no required field is blank. */
export function parseNewPet(values: FieldTexts): { pet: NewPet } | { errors: FieldTexts } {
  const isEmpty = (name: FieldName) => !values[name]?.trim();
  const entries = fieldNames.map((name) => [name, isEmpty(name) ? undefined : readField(name, values[name])]);
  const result = NewPet.safeParse(Object.fromEntries(entries));
  if (result.success) return { pet: result.data };
  const errors: FieldTexts = {};
  for (const name of fieldNames) {
    if (!result.error.issues.some(({ path }) => path[0] === name)) continue;
    errors[name] = isEmpty(name) ? `${fields[name].label} is required` : fields[name].invalid;
  }
  return { errors };
}

// Text that is no such value stays text, which the schema refuses.
const readField = (name: FieldName, text = '') => fields[name].read?.(text) ?? text;
