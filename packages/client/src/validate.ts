import { v1 } from '@petstore/contract';
import { validateIfSchema } from '@ts-rest/core';
import type { Validate } from './options.ts';

/**
 * Validates response bodies by the contract's schemas, for `createPetStore({ …, validate })`. Without it the
 * client checks the types of all properties, but not the range of an int64 or the values of a status.
 *
 * @throws when the body does not match its schema
 */
export const validate: Validate = (operation, { status, body }) => {
  const schemas: Partial<Record<number, unknown>> = v1.contract.pets[operation].responses;
  const { error } = validateIfSchema(body, schemas[status]);
  if (error) throw error;
};
