import { contract } from '@petstore/contract';
import { validateIfSchema } from '@ts-rest/core';
import type { Validate } from './options.ts';

/**
 * Holds each answer to the contract's zod schemas, for `createPetStore({ …, validate })`. Beyond what the
 * client always looks at, they know the range of an int64 and the closed sets of statuses and codes.
 *
 * @throws when the body is not what the contract says
 */
export const validate: Validate = (operation, { status, body }) => {
  const schemas: Partial<Record<number, unknown>> = contract.pets[operation].responses;
  const { error } = validateIfSchema(body, schemas[status]);
  if (error) throw error;
};
