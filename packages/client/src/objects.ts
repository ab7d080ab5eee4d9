/** `Object.keys` with the type of the keys: the filter changes only the type. */
export function keysOf<Literal extends object>(literal: Literal): (keyof Literal & string)[] {
  return Object.keys(literal).filter((key): key is keyof Literal & string => key in literal);
}

/** The properties of an unknown value, inherited ones included; none for `undefined` and `null`. */
export function propertiesOf(value: unknown): Record<string | symbol, unknown> {
  return Object(value);
}
