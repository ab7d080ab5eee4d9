import { NewPet, parseInt64 } from '@petstore/contract';

/** The fields of the form, which are the properties of NewPet, with their labels. */
export const fields = { name: 'Name', categoryId: 'Category', status: 'Status' } as const satisfies Record<
  keyof NewPet,
  string
>;

export type FieldName = keyof typeof fields;

/** What a user has entered, as text. */
export type FormValues = Record<FieldName, string>;

/** What is wrong with a field, as a sentence. */
export type FieldErrors = Partial<Record<FieldName, string>>;

export const fieldNames: readonly FieldName[] = ['name', 'categoryId', 'status'];

export function readFormValues(data: FormData): FormValues {
  const text = (name: FieldName) => {
    const value = data.get(name);
    // A file is none of the form's fields.
    return typeof value === 'string' ? value : '';
  };
  return { name: text('name'), categoryId: text('categoryId'), status: text('status') };
}

/**
 * Checks what a user has entered by the schema of the contract, in the browser and on the server alike. An
 * empty field is a missing property: that a pet store also takes an empty name is nothing a form should offer.
 */
export function parseNewPet(values: FormValues): { pet: NewPet } | { errors: FieldErrors } {
  const categoryId = values.categoryId.trim();
  const result = NewPet.safeParse({
    name: values.name || undefined,
    // Text that is no int64 stays text, about which the schema says what is allowed.
    categoryId: (parseInt64(categoryId) ?? categoryId) || undefined,
    status: values.status || undefined,
  });
  if (result.success) return { pet: result.data };
  const errors: FieldErrors = {};
  for (const { path, message } of result.error.issues) {
    const name = fieldNames.find((field) => field === path[0]);
    if (name) errors[name] ??= `${fields[name]} ${message}`;
  }
  return { errors };
}
