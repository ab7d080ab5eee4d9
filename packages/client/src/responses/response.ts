import { type Bodies, bodies, defaults, type ErrorBody, type Operation, operations } from '../contract.ts';
import type { AnyPetStoreError } from '../errors.ts';
import { propertiesOf } from '../objects.ts';

/** One response type for each status of a union. */
type ResponseWith<Status, Body> = Status extends number
  ? { status: Status; body: Body; headers: Headers }
  : never;

/** The contract's responses to each operation: one for each status of each body. */
export type ContractResponses = {
  [Name in Operation]: {
    [Body in keyof Bodies]: (typeof operations)[Name]['statuses'] extends Record<
      Body,
      readonly (infer Status)[]
    >
      ? ResponseWith<Status, Bodies[Body]>
      : never;
  }[keyof Bodies];
};

export interface WithRequestId {
  /** The id of the request in the service's log: quote it when you ask the service's operators for help. */
  requestId: string | undefined;
}

/** Any response of the contract to an operation: `PetStoreResponse<'createPet'>`. Narrow it by `status`. */
export type PetStoreResponse<Name extends Operation> = ContractResponses[Name] & WithRequestId;

/** The result of an operation of `safe` that got no response of the contract. */
export interface Failure extends WithRequestId {
  status: 'failed';
  /** The error that the operation throws outside of `safe`. */
  error: AnyPetStoreError;
}

export type PetStoreResponses = { [Name in Operation]: PetStoreResponse<Name> };

/** A response that is not yet compared with the contract. */
export interface ReceivedResponse extends WithRequestId {
  status: number;
  headers: Headers;
  /** The parsed JSON, `undefined` without a body, or an Error that says why the body could not be read. */
  body: unknown;
}

/** Fills in the defaults that the body lacks. @returns whether the contract has this response for the operation */
export function acceptResponse<Name extends Operation>(
  operation: Name,
  response: ReceivedResponse,
): response is PetStoreResponses[Name] {
  return Object.entries(operations[operation].statuses).some(
    ([name, statuses]: [string, readonly number[]]) =>
      statuses.includes(response.status) && acceptBody(name, response.body),
  );
}

/** Whether this is an Error body, which has no defaults. Any code is accepted: a newer service may have more. */
export function isErrorBody(body: unknown): body is ErrorBody {
  return acceptBody('Error', body);
}

/** The schema of an array is the name of its items' body. */
const schemas: Record<string, string | Record<string, string>> = bodies;

/**
 * Fills in the defaults that an object lacks: a service of an earlier release does not know their properties.
 * @returns whether the value then has the property types of the body with this name ("none": no body)
 */
function acceptBody(name: string, value: unknown): boolean {
  const schema = schemas[name];
  if (schema === undefined) return value === undefined;
  if (typeof schema === 'string')
    return Array.isArray(value) && value.every((item) => acceptBody(schema, item));
  const properties = propertiesOf(value);
  for (const [property, initial] of Object.entries(defaults[name] ?? {})) {
    if (!(property in properties)) properties[property] = initial;
  }
  return Object.entries(schema).every(([property, type]) => isOfType(properties[property], type));
}

/** @param type one or more types, such as "string|undefined" */
function isOfType(value: unknown, type: string): boolean {
  const isInteger = typeof value === 'bigint' || Number.isSafeInteger(value);
  const ownType = Array.isArray(value) ? 'array' : typeof value;
  return type.split('|').includes(isInteger ? 'integer' : ownType);
}
