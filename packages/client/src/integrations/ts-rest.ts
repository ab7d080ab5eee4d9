import { replaceBigInt } from '@petstore/contract/json';
import { type Operation, operations } from '../contract.ts';
import { withDiagnostics } from '../diagnostics/with-diagnostics.ts';
import { keysOf } from '../objects.ts';
import type { ConnectionOptions } from '../options.ts';
import { IDEMPOTENCY_KEY, randomIdempotencyKey, withBody } from '../requests/build-request.ts';
import { createSender } from '../transport/send-with-retries.ts';

export type { ConnectionOptions } from '../options.ts';

/** The part of ts-rest's `ApiFetcherArgs` that the fetcher needs, which every release of ts-rest has. */
export interface FetcherArgs {
  route: { method: string; path: string };
  /** The URL: ts-rest's `baseUrl` and the path. */
  path: string;
  headers: Record<string, string>;
  rawBody: unknown;
  fetchOptions?: { signal?: AbortSignal | null };
}

type Fetcher = (args: FetcherArgs) => Promise<{ status: number; body: unknown; headers: Headers }>;

/**
 * A fetcher for ts-rest's client: `initClient(v1.contract, { baseUrl, api: petStoreFetcher({ apiKey }) })`. It
 * adds exact integers, retries, timeouts and this package's errors. The `baseUrl` ends with `/v1`, as everywhere.
 */
export function petStoreFetcher(connection: ConnectionOptions): Fetcher {
  const send = createSender(withDiagnostics(connection));
  return async ({ route, path, headers, rawBody, fetchOptions: { signal } = {} }) => {
    const { [IDEMPOTENCY_KEY]: idempotencyKey = randomIdempotencyKey(), ...others } = headers;
    const operation = operationOf(route);
    const content = typeof rawBody === 'object' && rawBody && withBody(operation, rawBody, idempotencyKey);
    return send({ operation, url: path, ...content }, { signal: signal ?? undefined, headers: others });
  };
}

/**
 * Makes a body with a `bigint` acceptable to ts-rest, which passes every body to `JSON.stringify` before a
 * fetcher sees it. The bigint is written as a plain JSON number.
 */
export function exactBody<Body extends object>(body: Body): Body {
  // Calls the replacer as `JSON.stringify` does: `this` is the object that has the value.
  const exact = ([name, value]: [string, unknown]) => [name, replaceBigInt.call(body, name, value)];
  const toJSON = () => Object.fromEntries(Object.entries(body).map(exact));
  return Object.defineProperty({ ...body }, 'toJSON', { value: toJSON });
}

function operationOf({ method, path }: FetcherArgs['route']): Operation {
  const template = path.replaceAll(/:(\w+)/g, '{$1}');
  const operation = keysOf(operations).find(
    (name) => operations[name].method === method && operations[name].path === template,
  );
  if (operation === undefined) throw new TypeError(`${method} ${path} is not an operation of the pet store`);
  return operation;
}
