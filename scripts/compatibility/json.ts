export type JsonObject = { [name: string]: unknown };

/** The members of a JSON value; none when it is not an object. */
export function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** The items of a JSON value; none when it is not an array. */
export function arrayOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What a JSON value refers to by `$ref`, or the value itself. */
export function resolve(document: JsonObject, value: unknown): JsonObject {
  const { $ref } = objectOf(value);
  if (typeof $ref !== 'string') return objectOf(value);
  const names = $ref.replace('#/', '').split('/');
  return objectOf(names.reduce<unknown>((inner, name) => objectOf(inner)[name], document));
}
