import { NoResponseError } from '../conformance-error.ts';
import { describe, type RawResponse } from '../http/raw-response.ts';
import { sendOnce } from '../http/send.ts';
import type { Target } from '../target.ts';
import { findBaseUrlFault, findKeyFault } from '../target-faults.ts';
import { RunError } from './run-error.ts';

/**
 * Sends one request to find out whether checks make sense.
 *
 * @throws RunError when the API key or the base URL cannot be right, and when the target cannot be reached, refuses the
 *   key or has no pets at its base URL
 */
export async function probeTarget(target: Target): Promise<void> {
  const keyFault = findKeyFault(target.apiKey);
  if (keyFault !== undefined) throw new RunError(`The API key ${keyFault}`);
  const urlFault = findBaseUrlFault(target.baseUrl);
  if (urlFault !== undefined) throw new RunError(`The base URL ${urlFault}`);
  const response = await sendProbe(target);
  if (response instanceof NoResponseError) {
    const hint = /SSL routines/.test(response.message) ? ' by https; is it http?' : '';
    throw new RunError(`The target cannot be reached${hint}: ${response.message}`, { cause: response });
  }
  const problem = isRedirect(response.status) ? REDIRECT : problems[response.status];
  if (problem !== undefined) throw new RunError(`${problem}: ${describe(response)}`);
}

/** The response to a request that every deployment has one for, or why there is none. */
export async function sendProbe(target: Target): Promise<RawResponse | NoResponseError> {
  try {
    return await sendOnce(target, 'GET', '/pets?limit=1');
  } catch (error) {
    if (error instanceof NoResponseError) return error;
    throw error;
  }
}

const REDIRECT = 'The target redirects, which is not followed';

const problems: Record<number, string> = {
  401: 'The target refuses the API key',
  403: 'The target refuses the API key',
  404: 'The target has no pets at its base URL, which must include the version prefix',
};

// A browser shows a redirect that is not followed as status 0.
const isRedirect = (status: number) => status === 0 || (status >= 300 && status < 400);
