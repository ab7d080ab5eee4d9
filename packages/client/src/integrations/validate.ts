import { v1 } from '@petstore/contract';
import type { Operation } from '../contract.ts';
import type { Validate } from '../options.ts';

/** What a schema of the contract does, whichever release of zod it comes from. */
interface Schema {
  parse(value: unknown): unknown;
}

const hasParse = (schema: unknown): schema is Schema =>
  typeof schema === 'object' && schema !== null && 'parse' in schema;

/** The schemas of each operation's responses, by status. */
const schemas = new Map<string, Record<number, unknown>>(
  Object.values(v1.contract).flatMap((routes) =>
    Object.entries(routes).map(([operation, { responses }]): [string, Record<number, unknown>] => [
      operation,
      responses,
    ]),
  ),
);

/**
 * Validates response bodies by the contract's schemas, for `createPetStore({ …, validate })`. Without it the
 * client checks the types of all properties, but not the range of an int64 or the values of a status.
 *
 * @throws ZodError when the body does not match its schema
 */
export const validate: Validate = (operation: Operation, { status, body }) => {
  const schema = schemas.get(operation)?.[status];
  if (hasParse(schema)) schema.parse(body);
};
