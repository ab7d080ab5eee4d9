import { parseJson } from '@petstore/contract/json';
import { type FetchResponse, MAX_BODY_BYTES } from '../call-options.ts';
import { type Operation, operations } from '../contract.ts';
import type { ConnectionOptions } from '../options.ts';
import { IDEMPOTENCY_KEY, type OperationRequest } from '../requests/build-request.ts';
import type { ReceivedResponse } from '../responses/response.ts';
import { version } from '../version.ts';
import { unlessAborted } from './deadline.ts';
import { redactHeaders, redactJson } from './redact.ts';

/**
 * Builds the headers of a request, without the API key.
 * @param added headers of the store, then of the call, which take precedence. The client's own headers replace both
 */
export function buildHeaders(
  { body, idempotencyKey }: OperationRequest<Operation>,
  ...added: (Record<string, string> | undefined)[]
): Headers {
  const headers = new Headers();
  const own = {
    accept: 'application/json',
    'x-client': `petstore-client/${version}`,
    ...(body && { 'content-type': 'application/json' }),
    ...(idempotencyKey && { [IDEMPOTENCY_KEY]: idempotencyKey }),
  };
  for (const source of [...added, own]) {
    // As for `fetch`, plain JavaScript may pass a Headers object or pairs. Their entries would not be sent.
    if (Symbol.iterator in Object(source)) throw new TypeError('headers must be a plain object');
    for (const [name, value] of Object.entries(source ?? {})) {
      // The error of `Headers` names no header, and some control characters fail only in `fetch`, which is retried.
      if (/[^\t -~\x80-\xff]/.test(name + value))
        throw new TypeError(`The header ${name} has a character that cannot be sent`);
      headers.set(name, value);
    }
  }
  return headers;
}

interface Connection {
  apiKey: string;
  fetch: NonNullable<ConnectionOptions['fetch']>;
  headers: Headers;
  signal: AbortSignal;
}

/** Sends a request once and reads the whole response. @throws the error of `fetch`, or the signal's reason */
export async function sendRequest(
  { operation, url, body }: OperationRequest<Operation>,
  { apiKey, fetch, headers, signal }: Connection,
): Promise<ReceivedResponse> {
  const init: RequestInit = {
    method: operations[operation].method,
    // A copy: hooks may keep the original, which must not contain the API key.
    headers: { ...Object.fromEntries(headers), authorization: `Bearer ${apiKey}` },
    body: body ?? null,
    // A redirect that is followed would lose the API key at another origin, and the body of a POST after a 301 or 302.
    redirect: 'manual',
    signal,
  };
  // Not every `fetch` obeys the signal.
  return unlessAborted(signal, async () => {
    const response = await fetch(url, init);
    const { status } = response;
    const json = parseBody(await readChunks(response), status, apiKey);
    const redacted = redactHeaders(response.headers, apiKey);
    return { status, headers: redacted, requestId: redacted.get('x-request-id') ?? undefined, body: json };
  });
}

/** Reads a body. @throws Error when a stream is too long */
async function readChunks(response: FetchResponse): Promise<Uint8Array[]> {
  const { body } = response;
  // Chrome has iterable streams since version 124, Safari since version 27.
  if (!isAsyncIterable(body)) return [new Uint8Array(await response.arrayBuffer())];
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > MAX_BODY_BYTES) throw new Error(`a body of more than ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return chunks;
}

const isAsyncIterable = (body: unknown): body is AsyncIterable<Uint8Array> =>
  Symbol.asyncIterator in Object(body);

/**
 * Parses a body. Malformed UTF-8 is an error: with replacement characters a name would change silently.
 * @returns an Error for malformed text, because the status decides what it means. The error of JSON.parse would quote
 *   the text.
 */
function parseBody(chunks: readonly Uint8Array[], status: number, apiKey: string): unknown {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const text = chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode();
    if (text === '') return undefined;
    // Error bodies get into messages and logs. The pets of a success stay as they are.
    return status < 400 ? parseJson(text) : redactJson(parseJson(text), apiKey);
  } catch {
    return new Error('is not JSON in UTF-8');
  }
}
