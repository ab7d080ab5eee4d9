import { NewPet, parseInt64 } from '@petstore/contract';

export const properties = NewPet.keyof().options;

export type Property = (typeof properties)[number];

const optional = new Set(properties.filter((name) => NewPet.shape[name].safeParse(undefined).success));

export const requiredProperties = properties.filter((name) => !optional.has(name));

/**
 * Reads the value of a property from a CSV field or an argument: an integer if the contract accepts it, otherwise the
 * text. An empty string counts as a missing value if the property is optional.
 */
export function readProperty(name: Property, text: string): unknown {
  if (text === '' && optional.has(name)) return undefined;
  const integer = parseInt64(text);
  return integer !== undefined && NewPet.shape[name].safeParse(integer).success ? integer : text;
}

export function readNewPet(value: unknown): { pet: NewPet } | { problem: string } {
  const result = NewPet.safeParse(value);
  if (result.success) return { pet: result.data };
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.') || 'It'} ${message}`);
  return { problem: problems.join('; ') };
}
