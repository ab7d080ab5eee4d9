import { NewPet, parseInt64 } from '@petstore/contract';
import type { ZodError } from 'zod';
import * as z from 'zod/mini';

/** The properties of a pet to add, by the contract. */
export const properties = z.keyof(NewPet).options;

export type Property = (typeof properties)[number];

const optional = new Set(properties.filter((name) => NewPet.shape[name].safeParse(undefined).success));

/** The properties that a pet cannot be added without. */
export const requiredProperties = properties.filter((name) => !optional.has(name));

/**
 * Reads the value of a property from the text of a CSV field or an argument. An empty text is none where the contract
 * needs none. Text that is no such value stays text, which the contract refuses with a message.
 */
export function readProperty(name: Property, text: string): unknown {
  if (text === '' && optional.has(name)) return undefined;
  const integer = parseInt64(text);
  return integer !== undefined && NewPet.shape[name].safeParse(integer).success ? integer : text;
}

/** Validates a pet by the contract. @returns the pet, or what is wrong with it */
export function readNewPet(value: unknown): { pet: NewPet } | { problem: string } {
  const result = NewPet.safeParse(value);
  return result.success ? { pet: result.data } : { problem: describeIssues(result.error) };
}

/** What a schema found wrong, in one line, as the service would say it. */
function describeIssues({ issues }: Pick<ZodError, 'issues'>): string {
  return issues.map(({ path, message }) => `${path.join('.') || 'It'} ${message}`).join('; ');
}
