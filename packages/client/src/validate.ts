import { v1 } from '@petstore/contract';
import { validateIfSchema } from '@ts-rest/core';
import type { Validate } from './options.ts';

/**
 * Holds each answer to the contract's zod schemas, for `createPetStore({ …, validate })`. Beyond what the
 * client always looks at, they know the range of an int64 and the statuses of a pet.
 *
 * @throws when the body is not what the contract says
 */
export const validate: Validate = (operation, { status, body }) => {
  const schemas: Partial<Record<number, unknown>> = v1.contract.pets[operation].responses;
  const { error } = validateIfSchema(body, schemas[status]);
  if (error) throw error;
};
