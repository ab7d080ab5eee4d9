import type { ErrorBody, Operation, Pet, Responses, WithRequestId } from '../contract.ts';
import { keysOf, propertiesOf } from '../objects.ts';
import { type BodyKind, routes } from '../routes.ts';

/** A response that was not yet compared with the contract. */
export interface ReceivedResponse extends WithRequestId {
  status: number;
  headers: Headers;
  /** The parsed JSON, `undefined` when there was no body, or an Error that says why it could not be read. */
  body: unknown;
}

/** Whether this is one of the responses that the contract has for the operation. */
export function isContractResponse<Name extends Operation>(
  operation: Name,
  response: ReceivedResponse,
): response is ReceivedResponse & Responses[Name] {
  const kinds: Partial<Record<number, BodyKind>> = routes[operation].responses;
  const kind = kinds[response.status];
  return kind !== undefined && isBodyOf[kind](response.body);
}

/** Whether this is an Error body. Any code is accepted, because a newer service may have more of them. */
export const isErrorBody = hasProperties<ErrorBody>({
  code: isString,
  message: isString,
  status: Number.isInteger,
});

/** Whether this is a pet. Any status is accepted, for the same reason. */
const isPet = hasProperties<Pet>({
  id: isInteger,
  name: isString,
  categoryId: isInteger,
  status: (value) => value === undefined || isString(value),
});

const isBodyOf: Record<BodyKind, (body: unknown) => boolean> = {
  pet: isPet,
  pets: (body) => Array.isArray(body) && body.every(isPet),
  error: isErrorBody,
  none: (body) => body === undefined,
};

/** A property that the contract adds does not compile until it is checked here. */
function hasProperties<Body>(checks: Record<keyof Body, (value: unknown) => boolean>) {
  const names = keysOf(checks);
  return (body: unknown): body is Body => {
    const properties = propertiesOf(body);
    return names.every((name) => checks[name](properties[name]));
  };
}

function isString(value: unknown): boolean {
  return typeof value === 'string';
}

function isInteger(value: unknown): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}
