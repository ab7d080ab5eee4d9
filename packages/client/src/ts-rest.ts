import { rawInteger, stringifyJson } from '@petstore/contract/json';
import type { ApiFetcher, AppRoute } from '@ts-rest/core';
import { type Call, randomKey } from './calls.ts';
import type { Operation } from './contract.ts';
import { IDEMPOTENCY_KEY } from './exchange.ts';
import { namesOf } from './members.ts';
import type { ConnectionOptions } from './options.ts';
import { routes } from './routes.ts';
import { createSend } from './send.ts';

/**
 * The fetcher for ts-rest's own client: `initClient(contract, { baseUrl, api: petStoreFetcher({ apiKey }) })`.
 * It does what `createPetStore` does: integers unrounded, retries, time limits, errors. The `baseUrl` of
 * `initClient` is the base address without `/v1`, which the contract's paths begin with.
 */
export function petStoreFetcher(connection: ConnectionOptions): ApiFetcher {
  const send = createSend(connection);
  return async ({ route, path, headers, rawBody, fetchOptions }) => {
    const { [IDEMPOTENCY_KEY]: idempotencyKey = randomKey(), ...others } = headers;
    const call: Call<Operation> = {
      operation: operationOf(route),
      address: new URL(path),
      headers: others,
      ...(rawBody !== undefined && { content: { body: stringifyJson(rawBody), idempotencyKey } }),
    };
    return send(call, { signal: fetchOptions?.signal ?? undefined });
  };
}

/**
 * A body that ts-rest can send although it holds a `bigint`: it hands each to `JSON.stringify`, which takes
 * none, before any fetcher sees it. Written, the bigint is a plain JSON number.
 */
export function exactBody<Body extends object>(body: Body): Body {
  const exact = (value: unknown) => (typeof value === 'bigint' ? rawInteger(value) : value);
  const toJSON = () => Object.fromEntries(Object.entries(body).map(([name, value]) => [name, exact(value)]));
  return Object.defineProperty({ ...body }, 'toJSON', { value: toJSON });
}

function operationOf({ method, path }: AppRoute): Operation {
  const operation = namesOf(routes).find(
    (name) => routes[name].method === method && path.endsWith(routes[name].path),
  );
  if (operation === undefined) throw new TypeError(`${method} ${path} is no operation of the pet store`);
  return operation;
}
