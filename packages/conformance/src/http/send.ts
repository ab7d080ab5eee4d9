import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { stringifyJson } from '@petstore/contract/json';
import { NoResponseError, oneLine, shorten } from './conformance-error.ts';
import { curlOf, redact, type SentRequest } from './curl.ts';
import { fail, type RawResponse } from './response.ts';
import { type Target, urlOf } from './target.ts';

export interface SendOptions {
  /** Names keep their spelling. `Content-Type` replaces the default, but `content-type` appends a value to it. */
  headers?: Record<string, string>;
  /** The whole Authorization header; `null` sends none. @default the target's key */
  authorization?: string | null;
  /** A value to send as application/json, without rounding a bigint. */
  json?: unknown;
  /** A body to send as it is: JSON unless `headers` says otherwise. */
  body?: string | Uint8Array<ArrayBuffer>;
  /** The delay before the end of a text body. @default 0 */
  pauseSeconds?: number;
}

const TIME_LIMIT_MS = 10_000;

/** Characters that a response may have. A hundred pets with the longest names take 6.5 million characters. */
const MAX_LENGTH = 32 * 1024 * 1024;

/**
 * Sends a request to the target and reads the complete response. After a 429 it waits for `Retry-After` and sends the
 * request again.
 * @param path a path below the base URL, or an absolute URL
 * @throws NoResponseError when no complete response is received within the time limit, or the response is too long
 */
export async function send(...args: Parameters<typeof sendOnce>): Promise<RawResponse> {
  const [target] = args;
  for (;;) {
    const response = await sendOnce(...args);
    const seconds = retryAfterSecondsOf(response);
    if (seconds === 0) return response;
    const wait = sleep(seconds * 1_000, undefined, { signal: target.signal });
    await wait.catch(() => fail(response, 'no 429 for longer than the check may take'));
  }
}

/** The seconds that a 429 asks to wait, or 0. A date has whole seconds of the service's clock, so a second is added. */
export function retryAfterSecondsOf({ status, headers }: RawResponse): number {
  const retryAfter = headers.get('retry-after') ?? '';
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  const isNumber = /^\d+$/.test(retryAfter);
  const seconds = isNumber ? Number(retryAfter) : (Date.parse(retryAfter) - now) / 1_000 + 1;
  // Larger numbers are Unix times, sent by mistake. Node.js has no timer beyond 2^31 ms, about 2 million seconds.
  return status === 429 && seconds > 0 && seconds < 1_000_000 ? seconds : 0;
}

/** As {@link send}, but returns a 429 like any other response. */
export async function sendOnce(
  target: Target,
  method: string,
  path: string,
  options: SendOptions = {},
): Promise<RawResponse> {
  const sent = requestOf(target, method, path, options);
  const { pathname, search } = new URL(sent.url);
  const clean = (text: string) => redact(target, oneLine(text));
  const request = clean(`${method} ${pathname}${search}`);
  const curl = curlOf(target, sent);
  const signals = [AbortSignal.timeout(TIME_LIMIT_MS), ...(target.signal ? [target.signal] : [])];
  try {
    const { status, headers, body } = await target.fetch(sent.url, {
      method,
      headers: sent.headers,
      body: bodyWithPause(sent),
      duplex: 'half',
      redirect: 'manual',
      signal: AbortSignal.any(signals),
    });
    const text = await textOf(body);
    // From the next turn on, `fetch` reuses the connection. A small server may take one connection at a time.
    await nextTurn();
    // `redact` first: it would miss a key that `shorten` has cut.
    const received = oneLine(`${status} ${shorten(redact(target, text) || 'without a body')}`);
    const requestId = clean(headers.get('x-request-id') ?? '') || undefined;
    const replay = { curl, received, requestId };
    return { request, url: sent.url, status, headers, text, replay, redact: (part) => redact(target, part) };
  } catch (cause) {
    const received = clean(reasonOf(cause));
    const finding = `expected a response, got ${received}`;
    throw new NoResponseError(`${request}: ${finding}`, finding, { curl, received }, { cause });
  }
}

function requestOf(target: Target, method: string, path: string, options: SendOptions): SentRequest {
  const { authorization = `Bearer ${target.apiKey}`, json, pauseSeconds = 0 } = options;
  const body = options.body ?? (json === undefined ? null : stringifyJson(json));
  const headers = {
    ...(authorization !== null && { Authorization: authorization }),
    ...(body !== null && { 'Content-Type': 'application/json' }),
    ...options.headers,
  };
  return { method, url: urlOf(target, path), headers, body, pauseSeconds };
}

function bodyWithPause({ body, pauseSeconds }: SentRequest): NonNullable<RequestInit['body']> | null {
  if (pauseSeconds === 0) return body;
  return ReadableStream.from(
    (async function* () {
      yield new TextEncoder().encode(`${body}`);
      // A response may come earlier. Then the pause must not keep the process alive.
      await sleep(pauseSeconds * 1_000, undefined, { ref: false });
    })(),
  );
}

/** Reads a body as text. `response.text()` would fill the memory with an endless body. */
async function textOf(body: Response['body']): Promise<string> {
  let text = '';
  // A byte order mark stays: it makes JSON invalid.
  for await (const part of body?.pipeThrough(new TextDecoderStream('utf-8', { ignoreBOM: true })) ?? []) {
    text += part;
    if (text.length > MAX_LENGTH) throw new Error(`a body of more than ${MAX_LENGTH} characters`);
  }
  return text;
}

/** The message of an error and of its inner cause, in which `fetch` puts the reason of the system or of a proxy. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { name, message, cause } = error;
  if (name === 'TimeoutError') return `no complete response within ${TIME_LIMIT_MS} ms`;
  if (!(cause instanceof Error)) return message;
  // A host with several addresses has an error for each.
  const [first] = cause instanceof AggregateError ? cause.errors : [cause.cause ?? cause];
  return `${message} (${first instanceof Error ? first.message : cause.message})`;
}
