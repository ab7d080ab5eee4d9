import { parseJson, UnsafeIntegerError } from '@petstore/contract/json';
import type { Operation, Routes } from '../contract.ts';
import type { Fetch } from '../options.ts';
import type { OperationRequest } from '../requests.ts';
import type { ReceivedResponse } from '../responses/response.ts';
import { routes } from '../routes.ts';
import { decodeUtf8, readBody } from './body.ts';
import { unlessAborted } from './deadline.ts';
import { redactHeaders, redactJson } from './redact.ts';

/** The header that makes createPet safe to repeat (IETF draft). */
export const IDEMPOTENCY_KEY = 'idempotency-key' satisfies keyof Routes['createPet']['headers']['shape'];

/** The headers of a request, without the API key. */
export function buildHeaders({ headers: own = {}, content }: OperationRequest<Operation>): Headers {
  const headers = new Headers({ accept: 'application/json', ...own });
  if (content) {
    headers.set('content-type', 'application/json');
    headers.set(IDEMPOTENCY_KEY, content.idempotencyKey);
  }
  return headers;
}

/**
 * Sends a request once and reads the whole response, whatever it is.
 *
 * @throws whatever `fetch` throws, or the signal's reason
 */
export async function sendRequest(
  { operation, url, content }: OperationRequest<Operation>,
  { apiKey, fetch, headers, signal }: { apiKey: string; fetch: Fetch; headers: Headers; signal: AbortSignal },
): Promise<ReceivedResponse> {
  const authorized = new Headers(headers);
  authorized.set('authorization', `Bearer ${apiKey}`);
  const init: RequestInit = {
    method: routes[operation].method,
    headers: authorized,
    body: content?.body ?? null,
    // A redirect that is followed takes the API key wherever it leads.
    redirect: 'manual',
    signal,
  };
  // Not every `fetch` obeys the signal.
  const { response, chunks } = await unlessAborted(signal, async () => {
    const response = await fetch(url.href, init);
    return { response, chunks: await readBody(response) };
  });
  const { status } = response;
  const redacted = redactHeaders(response.headers, apiKey);
  return {
    status,
    headers: redacted,
    requestId: redacted.get('x-request-id') ?? undefined,
    body: parseBody(chunks, status, apiKey),
  };
}

/** Parses a body. The error never quotes the body; that of JSON.parse does. */
function parseBody(chunks: readonly Uint8Array[] | undefined, status: number, apiKey: string): unknown {
  if (chunks === undefined) return new Error('is too large');
  try {
    const text = decodeUtf8(chunks);
    if (text === '') return undefined;
    return status < 400 ? parseJson(text) : redactJson(parseJson(text), apiKey);
  } catch (error) {
    return new Error(
      error instanceof UnsafeIntegerError
        ? "has an integer beyond 2^53 - 1, which this runtime's JSON.parse rounds"
        : 'is not JSON in UTF-8',
    );
  }
}
