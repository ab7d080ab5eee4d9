import type { Logger } from 'pino';
import { databaseTimeOf, type StepResponse } from './request-context.ts';

/** A request that has ended, as the metrics count it. */
export type RequestSummary = ReturnType<typeof logRequest>;

const PROBES = new Set<string | undefined>(['/livez', '/readyz']);

/** The log lines of these statuses have the caller's address and path. */
const LOGGED_CALLERS = new Set([401, 404, 405]);

/** Callers choose this header, so only short tokens are logged. */
const CLIENT = /^[\w.-]{1,40}\/[\w.+-]{1,40}$/;

/** Logs a request without its credentials, body and query, once it has ended. */
export function logRequest(res: StepResponse, logger: Logger) {
  const { connection, requestId, traceId, start, callerAddress, notes } = res.locals;
  const { method, originalUrl, headers } = res.req;
  const { route, isDeprecated = false, key, error } = notes;
  const sentClient = String(headers['x-client']);
  const client = isDeprecated && CLIENT.test(sentClient) ? sentClient : undefined;
  // nginx also logs 499 when a caller closes the connection before the response is complete.
  const status = res.writableFinished ? res.statusCode : 499;
  const durationMs = roundToMicroseconds(performance.now() - start);
  const databaseMs = databaseTimeOf(notes);
  const hasRefusedCaller = LOGGED_CALLERS.has(status);
  const isForwarded = callerAddress !== connection.remoteAddress;
  // Probes come every few seconds: only failures are logged.
  if (status !== 200 || !PROBES.has(route)) {
    logger.info({
      requestId,
      method,
      route,
      path: hasRefusedCaller ? originalUrl.split('?', 1)[0] : undefined,
      status,
      code: error,
      durationMs,
      databaseMs: databaseMs && roundToMicroseconds(databaseMs),
      key,
      client,
      ...notes.details,
      caller: hasRefusedCaller || isForwarded ? toIpv4(callerAddress) : undefined,
      trace_id: traceId,
    });
  }
  return { method, route, status, durationMs, key, error, isDeprecated };
}

const roundToMicroseconds = (milliseconds: number) => Math.round(milliseconds * 1000) / 1000;

/** Removes the prefix of an IPv4 address on an IPv6 socket. */
export const toIpv4 = (address = '') => address.replace(/^::ffff:(?=[\d.]+$)/i, '');
