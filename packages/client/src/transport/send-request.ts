import { parseJson } from '@petstore/contract/json';
import { type Operation, routes } from '../contract.ts';
import type { ConnectionOptions } from '../options.ts';
import type { OperationRequest } from '../requests/request-builders.ts';
import { decodeUtf8, type ReceivedBody, readBody } from '../responses/body.ts';
import type { ReceivedResponse } from '../responses/response.ts';
import { version } from '../version.ts';
import { unlessAborted } from './deadline.ts';
import { redactHeaders, redactJson } from './redact.ts';

/** The header that makes createPet safe to repeat (IETF draft). */
export const IDEMPOTENCY_KEY = 'idempotency-key';

/**
 * The headers of a request, without the API key.
 *
 * @param added headers of the store and of the call; later ones take precedence, and those of the client over all
 */
export function buildHeaders(
  { content }: OperationRequest<Operation>,
  ...added: (Record<string, string> | undefined)[]
): Headers {
  const headers = new Headers();
  const own = { accept: 'application/json', 'x-client': `petstore-client/${version}` };
  const ofContent = content && {
    'content-type': 'application/json',
    [IDEMPOTENCY_KEY]: content.idempotencyKey,
  };
  for (const source of [...added, own, ofContent]) {
    for (const [name, value] of Object.entries(source ?? {})) headers.set(name, value);
  }
  return headers;
}

interface Connection {
  apiKey: string;
  fetch: NonNullable<ConnectionOptions['fetch']>;
  headers: Headers;
  signal: AbortSignal;
}

/**
 * Sends a request once and reads the whole response, whatever it is.
 *
 * @throws whatever `fetch` throws, or the signal's reason
 */
export async function sendRequest(
  { operation, url, content }: OperationRequest<Operation>,
  { apiKey, fetch, headers, signal }: Connection,
): Promise<ReceivedResponse> {
  const init: RequestInit = {
    method: routes[operation].method,
    // A copy, because the hooks were given the other one.
    headers: { ...Object.fromEntries(headers), authorization: `Bearer ${apiKey}` },
    body: content?.body ?? null,
    // A redirect that is followed takes the API key wherever it leads.
    redirect: 'manual',
    signal,
  };
  // Not every `fetch` obeys the signal.
  return unlessAborted(signal, async () => {
    const response = await fetch(url, init);
    const { status } = response;
    const body = parseBody(await readBody(response), status, apiKey);
    const redacted = redactHeaders(response.headers, apiKey);
    return { status, headers: redacted, requestId: redacted.get('x-request-id') ?? undefined, body };
  });
}

/** Parses a body. The error is not passed on, because that of JSON.parse quotes the text. */
function parseBody(received: ReceivedBody | undefined, status: number, apiKey: string): unknown {
  if (received === undefined) return new Error('is too large');
  try {
    const text = decodeUtf8(received);
    if (text === '') return undefined;
    return status < 400 ? parseJson(text) : redactJson(parseJson(text), apiKey);
  } catch {
    return new Error('is not JSON in UTF-8');
  }
}
