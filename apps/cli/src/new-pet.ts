import { NewPet, parseJson } from '@petstore/contract';

export const properties = NewPet.keyof().options;

type Property = (typeof properties)[number];

export const isRequired = (name: Property): boolean => !NewPet.shape[name].safeParse(undefined).success;

const NUMBER_OR_BOOLEAN = /^(-?(0|[1-9]\d*)(\.\d+)?|true|false)$/;

/**
 * Reads the value of a property from a CSV field or an argument: a number or boolean if the contract accepts it,
 * otherwise the text. An empty string counts as a missing value if the property is optional.
 */
export function readProperty(name: Property, text: string): unknown {
  if (text === '' && !isRequired(name)) return undefined;
  const value = NUMBER_OR_BOOLEAN.test(text) ? parseJson(text) : text;
  return NewPet.shape[name].safeParse(value).success ? value : text;
}

export function readNewPet(value: unknown): { pet: NewPet } | { problem: string } {
  const result = NewPet.safeParse(value);
  if (result.success) return { pet: result.data };
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.') || 'It'} ${message}`);
  return { problem: problems.join('; ') };
}

/** The service accepts a blank name, but it is most likely a mistake, and the service removes no pet. */
export const hasBlankName = ({ name }: NewPet): boolean => name.trim() === '';
