export type JsonObject = { [name: string]: unknown };

/** The members of a JSON value; none when it is not an object. */
export function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** The items of a JSON value; none when it is not an array. */
export function arrayOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether two JSON values are equal, whatever the order of their members. */
export function isEqual(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  ) ?? '';

/** The names of two objects, apart: in the first alone, in both, in the second alone. */
export function compareNames(before: JsonObject, after: JsonObject) {
  const names = Object.keys(before);
  return {
    removed: names.filter((name) => !(name in after)),
    kept: names.filter((name) => name in after),
    added: Object.keys(after).filter((name) => !(name in before)),
  };
}
