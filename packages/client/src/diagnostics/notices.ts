import type { Operation } from '../contract.ts';
import type { Hooks, ResponseEvent } from '../hooks.ts';

/** Writes a line for a developer. */
type Warn = (line: string) => void;

/** Creates the hook that tells once of each operation whose responses have a `Deprecation` header (RFC 9745), with the date of
 * `Sunset` (RFC 8594). */
export function createDeprecationNotice(warn: Warn): (response: ResponseEvent) => void {
  const reported = new Set<Operation>();
  return ({ operation, headers }) => {
    if (reported.has(operation) || !headers.has('deprecation')) return;
    reported.add(operation);
    const sunset = headers.get('sunset');
    const removal = sunset === null ? '' : ` and will be removed on ${sunset}`;
    warn(`@petstore/client: ${operation} is deprecated${removal}`);
  };
}

/**
 * Creates the hooks that tell a developer once what a call waits for, when it is repeated a second time: calls outlast
 * an outage, so that a program with a wrong address seems to do nothing.
 */
export function createWaitNotice(warn: Warn): Hooks {
  let reason = '';
  let isTold = false;
  return {
    onResponse({ operation, status, url }) {
      reason = `${new URL(url).host} responds to ${operation} with status ${status}`;
      if (status < 500) isTold = false;
    },
    onError({ error }) {
      reason = error.message;
    },
    onRetry({ operation, attempt }) {
      if (isTold || attempt < 2) return;
      isTold = true;
      warn(`@petstore/client: ${operation} waits for the service, until its timeoutMs: ${reason}`);
    },
  };
}
