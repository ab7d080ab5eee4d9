import { NewPet, parseInt64 } from '@petstore/contract';

export const properties = NewPet.keyof().options;

type Property = (typeof properties)[number];

export const isRequired = (name: Property): boolean => !NewPet.shape[name].safeParse(undefined).success;

/**
 * Reads the value of a property from a CSV field or an argument: an integer if the contract accepts it, otherwise the
 * text. An empty string counts as a missing value if the property is optional.
 */
export function readProperty(name: Property, text: string): unknown {
  if (text === '' && !isRequired(name)) return undefined;
  const integer = parseInt64(text);
  return integer !== undefined && NewPet.shape[name].safeParse(integer).success ? integer : text;
}

export function readNewPet(value: unknown): { pet: NewPet } | { problem: string } {
  const result = NewPet.safeParse(value);
  if (result.success) return { pet: result.data };
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.') || 'It'} ${message}`);
  return { problem: problems.join('; ') };
}

/** The service accepts a blank name, but it is most likely a mistake, and the service removes no pet. */
export const hasBlankName = ({ name }: NewPet): boolean => name.trim() === '';
