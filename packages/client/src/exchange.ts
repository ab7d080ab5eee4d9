import { parseJson } from '@petstore/contract/json';
import { NOT_JSON, type Received } from './answer.ts';
import { blotHeaders, blotJson } from './blot.ts';
import { decode, readBody } from './body.ts';
import type { Call } from './calls.ts';
import type { Operation, Routes } from './contract.ts';
import { until } from './deadline.ts';
import type { Fetch } from './options.ts';
import { routes } from './routes.ts';

/** The header field that makes createPet safe to repeat (IETF draft). */
export const IDEMPOTENCY_KEY = 'idempotency-key' satisfies keyof Routes['createPet']['headers']['shape'];

/** The header fields of a call, all but the key. */
export function headersOf({ headers: own = {}, content }: Call<Operation>): Headers {
  const headers = new Headers({ accept: 'application/json', ...own });
  if (content) {
    headers.set('content-type', 'application/json');
    headers.set(IDEMPOTENCY_KEY, content.idempotencyKey);
  }
  return headers;
}

/**
 * Sends a call once and reads the whole answer, whatever it is.
 *
 * @throws whatever `fetch` throws, or the signal's reason
 */
export async function exchange(
  { operation, address, content }: Call<Operation>,
  { apiKey, fetch, headers, signal }: { apiKey: string; fetch: Fetch; headers: Headers; signal: AbortSignal },
): Promise<Received> {
  const authorized = new Headers(headers);
  authorized.set('authorization', `Bearer ${apiKey}`);
  const init: RequestInit = {
    method: routes[operation].method,
    headers: authorized,
    body: content?.body ?? null,
    // The key would go along to wherever a redirect leads.
    redirect: 'manual',
    signal,
  };
  const { response, pieces } = await until(signal, async () => {
    const response = await fetch(address.href, init);
    return { response, pieces: await readBody(response) };
  });
  const { status } = response;
  const shown = blotHeaders(response.headers, apiKey);
  return { status, headers: shown, requestId: requestIdOf(shown), body: parseBody(pieces, status, apiKey) };
}

/** The request id, when it is one as the service writes it: others may do anything with the field. */
function requestIdOf(headers: Headers): string | undefined {
  const [id] = /^[\w.-]{1,128}$/.exec(headers.get('x-request-id') ?? '') ?? [];
  return id;
}

/** Parses a body. What JSON.parse throws quotes the text, so it is not passed on. */
function parseBody(pieces: readonly Uint8Array[] | undefined, status: number, apiKey: string): unknown {
  if (pieces === undefined) return NOT_JSON;
  try {
    const text = decode(pieces);
    if (text === '') return undefined;
    return status < 400 ? parseJson(text) : blotJson(parseJson(text), apiKey);
  } catch {
    return NOT_JSON;
  }
}
