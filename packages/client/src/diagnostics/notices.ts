import { findLink } from '@petstore/contract/link';
import { type Operation, operations, prefix } from '../contract.ts';
import type { Hooks, ResponseEvent } from '../hooks.ts';
import { keysOf } from '../objects.ts';
import { isRetryable } from '../responses/retryable.ts';
import { hostOf } from '../transport/attempt.ts';

type Warn = (line: string) => void;

/** Each warning but the first mutes others for this time: a half-broken service begins and ends outages constantly. */
const WAIT_NOTICE_MS = 60_000;

/** Creates a hook that warns once about each operation with a `Deprecation` response header (RFC 9745, RFC 8594). */
export function createDeprecationNotice(warn: Warn): (response: ResponseEvent) => void {
  const reported = new Set<Operation>();
  return ({ operation, method, headers }) => {
    if (reported.has(operation) || !headers.has('deprecation')) return;
    reported.add(operation);
    const sunset = headers.get('sunset');
    const removal = sunset === null ? '' : ` and will be removed on ${sunset}`;
    const successor = findLink(headers.get('link'), 'successor-version');
    const remedy = successor === undefined ? '' : `: use ${findOperation(method, successor) ?? successor}`;
    warn(`@petstore/client: ${operation} is deprecated${removal}${remedy}`);
  };
}

const findOperation = (method: string, url: string) =>
  keysOf(operations).find(
    (name) => operations[name].method === method && url.endsWith(prefix + operations[name].path),
  );

/**
 * Creates hooks that warn at the second retry why a call is waiting: at most once in each outage, and at most as often
 * as `WAIT_NOTICE_MS` allows. Without the warning, a program with a wrong base URL seems to hang.
 */
export function createWaitNotice(warn: Warn): Hooks {
  let reason: string | undefined;
  let hasWarned = false;
  /** Negative until the first warning. */
  let mutedUntil = -1;
  return {
    onResponse({ operation, status, url }) {
      const isOutage = isRetryable(status);
      reason = isOutage ? `${hostOf(url)} responds to ${operation} with status ${status}` : undefined;
      // A 404 ends the outage, too.
      hasWarned &&= isOutage;
    },
    onError({ error }) {
      reason = error.message;
    },
    onRetry({ operation, attempt }) {
      if (hasWarned || attempt < 2 || performance.now() < mutedUntil) return;
      hasWarned = true;
      // The first warning mutes none: a second outage soon after it may have another reason.
      mutedUntil = mutedUntil < 0 ? 0 : performance.now() + WAIT_NOTICE_MS;
      // An attempt that gets no API key in time calls `onRetry` alone.
      warn(`@petstore/client: ${operation} waits, at most until its timeoutMs: ${reason ?? 'no API key'}`);
    },
  };
}
