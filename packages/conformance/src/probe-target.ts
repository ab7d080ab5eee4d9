import { NoResponseError } from './conformance-error.ts';
import { describe, type RawResponse } from './http/response.ts';
import { sendOnce } from './http/send.ts';
import { version } from './interface.ts';
import type { Target } from './target.ts';

export interface TargetFault {
  message: string;
  /** Whether the fault may pass while a deployment starts. */
  mayPass: boolean;
}

/** Sends a request to find out whether checks make sense. @returns why they do not, or `undefined` */
export async function findTargetFault(target: Target): Promise<TargetFault | undefined> {
  const response = await sendProbe(target);
  if (response instanceof NoResponseError) {
    const hint = /SSL routines/.test(response.message) ? ' by https; is it http?' : '';
    return { message: `The target cannot be reached${hint}: ${response.message}`, mayPass: true };
  }
  const { status } = response;
  const fault =
    status >= 300 && status < 400 ? 'The target redirects, which is not followed' : faults[status];
  // An HTML page comes from another site, or from a gateway.
  const isOther = status === 200 && !isJson(response.text);
  if (fault === undefined && !isOther) return undefined;
  return { message: `${fault ?? NO_PETS}: ${describe(response)}`, mayPass: fault === UNAVAILABLE };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const NO_PETS = 'The target has no pets at its base URL, which must include the version prefix';

const UNAVAILABLE = 'The target is not available';

const faults: Record<number, string> = {
  401: 'The target refuses the API key',
  403: 'The target refuses the API key',
  404: NO_PETS,
  405: NO_PETS,
  410: NO_PETS,
  502: UNAVAILABLE,
  503: UNAVAILABLE,
  504: UNAVAILABLE,
};

/** Sends a request that every deployment responds to. */
export async function sendProbe(target: Target): Promise<RawResponse | NoResponseError> {
  try {
    return await sendOnce(target, 'GET', '/pets?limit=1');
  } catch (error) {
    if (error instanceof NoResponseError) return error;
    throw error;
  }
}

/** Returns the fault of an API key, such as `is empty`, or `undefined` if the key can be sent. */
export function findKeyFault(key: string): string | undefined {
  if (key === '') return 'is empty';
  if (/[\r\n]/.test(key)) return 'has a line break';
  if (/^bearer(?:\s|$)/i.test(key))
    return 'begins with "Bearer", which the suite adds: it must be the key alone';
  if (/[^\x21-\x7e]/.test(key)) return 'has a character that is not visible ASCII';
  return undefined;
}

/** Returns the fault of a base URL, such as `must begin with …`, or `undefined` if the suite can use it. */
export function findBaseUrlFault(text: string): string | undefined {
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    return 'must begin with http:// or https://, as in https://petstore.example/v1';
  }
  if (url.username !== '' || url.password !== '') return 'must have no user name or password';
  if (url.search !== '' || url.hash !== '') return 'must have no query and no fragment';
  if (/\/pets\/?$/.test(url.pathname)) return `must end before /pets: ${text.replace(/\/pets\/?$/, '')}`;
  const [prefix = version.prefix] = /\/v\d+(?=\/?$)/.exec(url.pathname) ?? [];
  return prefix === version.prefix
    ? undefined
    : `must not end with ${prefix}: there are checks for ${version.prefix} only`;
}
