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
  /** The parsed JSON with its defaults, `undefined` without a body, or an Error that says why it could not be read. */
  body: unknown;
}

/** Adds the defaults of properties that a body lacks: a service of an earlier release does not know these properties. */
export function fillInDefaults(operation: Operation, status: number, body: unknown): void {
  // A response to any operation may have an Error body.
  const name = findBodyName(operation, status) ?? 'Error';
  const schema = schemas[name];
  const initial = defaults[typeof schema === 'string' ? schema : name];
  for (const properties of [body].flat().map(propertiesOf)) {
    for (const property in initial) if (!(property in properties)) properties[property] = initial[property];
  }
}

const findBodyName = (operation: Operation, status: number) =>
  Object.entries<readonly number[]>(operations[operation].statuses).find(([, statuses]) =>
    statuses.includes(status),
  )?.[0];

/** Whether the contract has this response for the operation. */
export function isContractResponse<Name extends Operation>(
  operation: Name,
  response: ReceivedResponse,
): response is PetStoreResponses[Name] {
  const name = findBodyName(operation, response.status);
  return name !== undefined && isBody(name, response.body);
}

/** Whether this is an Error body. Any code is accepted, because a newer service may have more codes. */
export function isErrorBody(body: unknown): body is ErrorBody {
  return isBody('Error', body);
}

/** The schema of an array is the name of its items' body. */
const schemas: Record<string, string | Record<string, string>> = bodies;

/** Whether a value has the property types of a body of the contract; "none" is no body. */
function isBody(name: string, value: unknown): boolean {
  const schema = schemas[name];
  if (schema === undefined) return value === undefined;
  if (typeof schema === 'string') return Array.isArray(value) && value.every((item) => isBody(schema, item));
  const properties = propertiesOf(value);
  return Object.entries(schema).every(([property, type]) => isOfType(properties[property], type));
}

/** @param type one or more types, such as "string|undefined" */
function isOfType(value: unknown, type: string): boolean {
  const isInteger = typeof value === 'bigint' || Number.isSafeInteger(value);
  const ownType = Array.isArray(value) ? 'array' : typeof value;
  return type.split('|').includes(isInteger ? 'integer' : ownType);
}
