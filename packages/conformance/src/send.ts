import { stringifyJson } from '@petstore/contract/json';
import type { Answer } from './answer.ts';
import { Nonconformity } from './nonconformity.ts';
import { address, type Target } from './target.ts';

export interface SendOptions {
  headers?: Record<string, string>;
  /** The whole Authorization field in place of the target's key; `null` sends none. */
  authorization?: string | null;
  /** A value to send as application/json, without rounding a bigint. */
  json?: unknown;
  /** A body to send as it is: JSON unless `headers` says otherwise. */
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  redirect?: 'manual' | 'follow';
  /** Milliseconds until the whole answer must be there. */
  timeLimit?: number;
}

/**
 * Sends one request to the target and reads the whole answer.
 *
 * @param path a path under the base address, or an absolute address
 * @throws Nonconformity when no whole answer comes within the time limit (10 s unless told otherwise)
 */
export async function send(
  target: Target,
  method: string,
  path: string,
  { timeLimit = 10_000, ...options }: SendOptions = {},
): Promise<Answer> {
  const url = address(target, path);
  const { pathname, search } = new URL(url);
  const request = `${method} ${pathname}${search}`;
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error(`nothing within ${timeLimit} ms`)), timeLimit);
  try {
    const init = { method, signal: controller.signal, ...requestInit(target, options) };
    const answer = target.fetch(url, init).then(async (response) => ({
      request,
      url,
      status: response.status,
      headers: response.headers,
      text: await response.text(),
    }));
    return await Promise.race([answer, aborted(controller.signal)]);
  } catch (error) {
    throw new Nonconformity(`${request}: expected an answer, got ${reason(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
    // A body that is still being sent would hold the connection.
    controller.abort();
  }
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

/** A `fetch` that answers from memory may not heed the signal. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
