/** The keys of an object literal, with their type. */
export function keysOf<Literal extends object>(literal: Literal): (keyof Literal & string)[] {
  return Object.keys(literal).filter((key): key is keyof Literal & string => key in literal);
}

/** The properties of a value from outside, inherited ones included; none when the value is no object. */
export function propertiesOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
