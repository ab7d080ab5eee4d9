import { setTimeout as sleep } from 'node:timers/promises';
import { NoResponseError } from '../http/conformance-error.ts';
import { describe, type RawResponse } from '../http/response.ts';
import { retryAfterSecondsOf, sendOnce } from '../http/send.ts';
import type { Target } from '../http/target.ts';
import { version } from '../interface.ts';

const POLL_MS = 500;

interface Fault {
  text: string;
  /** The delay until the next probe, in milliseconds. Absent if waiting does not help. */
  waitMs?: number;
}

/**
 * Sends probes until the target is available, or `wait` seconds are over.
 * @param limits.timeLimit how long a check may take, in seconds
 * @returns why no check makes sense, or `undefined`
 */
export async function findTargetFault(target: Target, limits: { wait: number; timeLimit: number }) {
  const end = performance.now() + limits.wait * 1_000;
  for (;;) {
    const fault = await probe(target, limits.timeLimit);
    if (fault === undefined) return undefined;
    const { text, waitMs = Number.POSITIVE_INFINITY } = fault;
    if (performance.now() + waitMs > end) return `The target ${text}`;
    await sleep(waitMs);
  }
}

async function probe(target: Target, timeLimit: number): Promise<Fault | undefined> {
  // `send` would wait after a 429, but a 429 with a short Retry-After shows that the target is available.
  const response = await sendOnce(target, 'GET', '/pets?limit=1').catch((error: unknown) => {
    if (error instanceof NoResponseError) return error;
    throw error;
  });
  if (response instanceof NoResponseError) {
    // OpenSSL's messages for a response that is not TLS.
    const isHttp = /wrong version number|packet length too long/.test(response.replay.received);
    const hint = isHttp ? ' by https; is it http?' : '';
    return { text: `cannot be reached${hint}: ${response.replay.received}`, waitMs: POLL_MS };
  }
  const seen = describe(response);
  if ([502, 503, 504].includes(response.status))
    return { text: `is not available: ${seen}`, waitMs: POLL_MS };
  const pause = Math.ceil(retryAfterSecondsOf(response));
  // Every check would wait until its time is over: the run would take hours.
  if (pause > timeLimit) {
    return { text: `asks to wait ${pause} s, longer than --time-limit: ${seen}`, waitMs: pause * 1_000 };
  }
  const text = faultOf(response);
  return text === undefined ? undefined : { text: `${text}: ${seen}` };
}

/** A fault that a later probe would find too: waiting does not help. */
function faultOf({ status, text }: RawResponse): string | undefined {
  if (status === 401 || status === 403) return 'refuses the API key';
  if (status >= 300 && status < 400) return 'redirects, which is not followed';
  // A text that is no JSON comes from another site, or from a gateway. Checks report an empty list sent as `null`.
  const isOtherSite = status === 200 && !/^\s*(?:[[{]|null)/.test(text);
  if (isOtherSite || [404, 405, 410].includes(status)) {
    return 'has no pets at its base URL, which must include the version prefix';
  }
}

/** Returns the fault of an API key, such as `is empty`, or `undefined` if the key can be sent. */
export function findKeyFault(key: string): string | undefined {
  if (key === '') return 'is empty';
  if (/^bearer(?:\s|$)/i.test(key))
    return 'begins with "Bearer", which the suite adds: it must be the key alone';
  if (/[^\x21-\x7e]/.test(key))
    return 'has a space, a line break or another character that is not visible ASCII';
}

/** Returns the fault of a base URL, such as `must begin with …`, or `undefined` if the suite can use it. */
export function findBaseUrlFault(text: string): string | undefined {
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    return 'must be a valid URL and begin with http:// or https://, as in https://petstore.example/v1';
  }
  if (url.username !== '' || url.password !== '') return 'must have no user name or password';
  if (url.search !== '' || url.hash !== '') return 'must have no query and no fragment';
  if (/\/pets\/*$/.test(url.pathname)) return `must end before /pets: ${text.replace(/\/pets\/*$/, '')}`;
  const prefix = /\/v\d+(?=\/?$)/.exec(url.pathname)?.[0];
  // Without a version prefix, the probe shows whether there are pets.
  if (prefix === undefined || prefix === version.prefix) return undefined;
  return `must not end with ${prefix}: there are checks for ${version.prefix} only`;
}
