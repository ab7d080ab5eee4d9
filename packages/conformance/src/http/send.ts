import { setTimeout as sleep } from 'node:timers/promises';
import { stringifyJson } from '@petstore/contract/json';
import { NoResponseError } from '../conformance-error.ts';
import { type Target, urlOf } from '../target.ts';
import { expectRateLimited } from './rate-limit-response.ts';
import type { RawResponse } from './raw-response.ts';

export interface SendOptions {
  headers?: Record<string, string>;
  /** The whole Authorization header in place of the target's key; `null` sends none. */
  authorization?: string | null;
  /** A value to send as application/json, without rounding a bigint. */
  json?: unknown;
  /** A body to send as it is: JSON unless `headers` says otherwise. */
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  redirect?: 'manual' | 'follow';
  /**
   * Milliseconds until the complete response must be there.
   *
   * @default 10_000
   */
  timeLimit?: number;
}

/** Bytes that a response may have. A hundred pets with the longest names take 6.5 MB. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/**
 * Sends a request to the target and reads the complete response. Where the deployment limits the rate of requests,
 * it waits for as long as a 429 says and sends the request again.
 *
 * @param path a path below the base URL, or an absolute URL
 * @throws NoResponseError when no complete response comes within the time limit, or it is endless
 * @throws ConformanceError when a 429 is not that of the contract
 */
export async function send(
  target: Target,
  method: string,
  path: string,
  options: SendOptions = {},
): Promise<RawResponse> {
  for (;;) {
    const response = await sendOnce(target, method, path, options);
    // A body that is a stream can be sent once.
    if (response.status !== 429 || options.body instanceof ReadableStream) return response;
    await sleep(expectRateLimited(response) * 1_000);
  }
}

/** As {@link send}, but returns a 429 like any other response. */
export async function sendOnce(
  target: Target,
  method: string,
  path: string,
  { timeLimit = 10_000, ...options }: SendOptions = {},
): Promise<RawResponse> {
  const url = urlOf(target, path);
  const { pathname, search } = new URL(url);
  const request = `${method} ${pathname}${search}`;
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new Error(`no complete response within ${timeLimit} ms`)),
    timeLimit,
  );
  try {
    const init = { method, signal: controller.signal, ...requestInit(target, options) };
    const response = target.fetch(url, init).then(async (response) => ({
      request,
      url,
      status: response.status,
      headers: response.headers,
      text: await textOf(response),
    }));
    return await Promise.race([response, rejectOnAbort(controller.signal)]);
  } catch (error) {
    throw new NoResponseError(`${request}: expected a response, got ${reasonOf(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
    // A body that is still being sent or read would hold the connection.
    controller.abort();
  }
}

/** Reads a body as text. `response.text()` would keep an endless one until the memory is full. */
async function textOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > MAX_RESPONSE_BYTES) throw new Error(`a body of more than ${MAX_RESPONSE_BYTES} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function requestInit(
  target: Target,
  { headers, authorization = `Bearer ${target.apiKey}`, json, body, redirect = 'manual' }: SendOptions,
): RequestInit {
  const content = body ?? (json === undefined ? null : stringifyJson(json));
  return {
    redirect,
    headers: {
      ...(authorization !== null && { authorization }),
      ...(content !== null && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: content,
    ...(content instanceof ReadableStream && { duplex: 'half' as const }),
  };
}

/** A `fetch` that responds from memory may ignore the signal. */
function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** The message of an error and of its cause, which is where `fetch` puts the system's reason. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  // Where a host has several addresses, the reason is in the errors of each of them.
  const [first] = cause instanceof AggregateError ? cause.errors : [cause];
  return `${error.message} (${first instanceof Error ? first.message : cause.message})`;
}
