import { NewPet, parseInt64 } from '@petstore/contract';
import * as z from 'zod/mini';

/** The properties of a pet to add, by the contract. */
export const properties = z.keyof(NewPet).options;

export type Property = (typeof properties)[number];

const optional = new Set(properties.filter((name) => NewPet.shape[name].safeParse(undefined).success));

/**
 * Reads the value of a property from the text of a CSV field or an argument. An empty text is none where the contract
 * needs none. Text that is no such value stays text, which the contract refuses with a message.
 */
export function readProperty(name: Property, text: string): unknown {
  if (text === '' && optional.has(name)) return undefined;
  const integer = parseInt64(text);
  return integer !== undefined && NewPet.shape[name].safeParse(integer).success ? integer : text;
}
