import { ErrorBody, Pet, Pets } from '@petstore/contract';
import { type bodies, routes } from '../contract.ts';
import { keysOf } from '../objects.ts';
import type { Validate } from '../options.ts';

const schemas = { Pets, Pet, Error: ErrorBody } satisfies Record<keyof typeof bodies, unknown>;

/**
 * Validates response bodies by the contract's schemas, for `createPetStore({ …, validate })`. Without it the
 * client checks the types of all properties, but not the range of an int64 or the values of a status.
 *
 * @throws ZodError when the body does not match its schema
 */
export const validate: Validate = (operation, { status, body }) => {
  const statuses: Partial<Record<keyof typeof schemas, readonly number[]>> = routes[operation].statuses;
  for (const name of keysOf(schemas)) if (statuses[name]?.includes(status)) schemas[name].parse(body);
};
