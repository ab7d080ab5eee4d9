import type { Hooks } from '../hooks.ts';

/**
 * Creates the hooks that tell a developer once what a call waits for, when it is repeated a second time: calls outlast
 * an outage, so that a program with a wrong address seems to do nothing.
 */
export function createWaitNotice(warn: (line: string) => void): Hooks {
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
