import { stringifyJson } from '@petstore/contract/json';
import type { Arguments, CreateOptions } from '../call-options.ts';
import { type Operation, operations } from '../contract.ts';

export const IDEMPOTENCY_KEY = 'idempotency-key';

export interface OperationRequest<Name extends Operation> {
  operation: Name;
  url: string;
  body?: string | undefined;
  /** Makes a creation safe to send again (IETF draft). */
  idempotencyKey?: string | undefined;
}

/** @throws TypeError for a missing argument, a rounded number or an invalid key */
export function buildRequest<Name extends Operation>(
  baseUrl: string,
  operation: Name,
  given: Arguments,
  { idempotencyKey = randomIdempotencyKey() }: CreateOptions = {},
): OperationRequest<Name> {
  const { body, query = {} } = given;
  let url = baseUrl.replace(/\/*([?#].*)?$/, '') + operations[operation].path;
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null) throw new TypeError(`${operation} must be given its ${name}`);
    // `replace` calls the function only for a value in the path: `String` throws for a body without a prototype.
    url = url.replace(`{${name}}`, () => encodeURIComponent(String(value)));
  }
  checkIntegers({ ...given, ...query });
  const parameters = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return {
    operation,
    url: `${url}?${parameters.join('&')}`.replace(/\?$/, ''),
    ...(body && withBody(operation, body, idempotencyKey)),
  };
}

/** The parts of a request that belong to its body. @throws TypeError for a rounded number or an invalid key */
export function withBody(operation: Operation, body: object, idempotencyKey: string) {
  checkIntegers(body);
  const isKeyed = operations[operation].retry === 'with a key';
  // With `''` or `null`, a retry could add a second pet. `Headers` would trim spaces, which makes another key. The service
  // checks the length.
  if (isKeyed && !/^[!-~]+$/.test(idempotencyKey || '')) {
    throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters');
  }
  return { body: stringifyJson(body), ...(isKeyed && { idempotencyKey }) };
}

/** @throws TypeError for an integer that the caller's program has rounded. The service refuses fractions. */
function checkIntegers(values: object): void {
  for (const [name, value] of Object.entries(values)) {
    if (!Number.isInteger(value) || Number.isSafeInteger(value)) continue;
    throw new TypeError(`${name} must be a safe integer, not ${value}: use a bigint`);
  }
}

/** Returns 128 random bits. Pages over plain HTTP lack `crypto.randomUUID`. */
export function randomIdempotencyKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
