import type { Logger } from 'pino';
import { databaseTimeOf, type TypedResponse } from './request-context.ts';

/** A request that has ended, as the metrics count it. */
export type RequestSummary = ReturnType<typeof logRequest>;

const PROBES = new Set<string | undefined>(['/livez', '/readyz']);

/** Statuses of guessed keys and paths. Only log lines of suspicious requests have the path. */
const SUSPICIOUS_STATUSES = new Set([401, 404, 405]);

/** Name and version of a client, such as `shop/1.2.0`. Callers choose this header, so only a short value is logged. */
const CLIENT = /^[\w.-]{1,40}\/[\w.+-]{1,40}$/;

/** Logs a request without its credentials, body and query, once it has ended. */
export function logRequest(res: TypedResponse, logger: Logger) {
  const { connection, requestId, traceId, start, callerAddress, notes } = res.locals;
  const { method, originalUrl, headers, refusal } = res.req;
  const { route, isDeprecated = false, key, code } = notes;
  const sentClient = String(headers['x-client']);
  // Tells operators which clients are still to be upgraded.
  const client = isDeprecated && CLIENT.test(sentClient) ? sentClient : undefined;
  // nginx also logs 499 when a caller closes the connection before the response is complete.
  const status = res.writableFinished ? res.statusCode : 499;
  // Read before the duration, which it must not exceed: a wait for the database that has not ended still grows.
  const databaseMs = databaseTimeOf(notes);
  const durationMs = roundToMicroseconds(performance.now() - start);
  // `refusal` is set when Node emits no request, for malformed bytes or CONNECT for example.
  const isSuspicious = SUSPICIOUS_STATUSES.has(status) || refusal !== undefined;
  const isForwarded = callerAddress !== connection.remoteAddress;
  // Probes come every few seconds: only failures are logged.
  if (status !== 200 || !PROBES.has(route)) {
    logger.info({
      requestId,
      method,
      route,
      path: isSuspicious ? originalUrl.split('?', 1)[0] : undefined,
      status,
      code,
      durationMs,
      databaseMs: databaseMs && roundToMicroseconds(databaseMs),
      key,
      client,
      ...notes.details,
      // An address that was not forwarded may be a proxy's: only lines of suspicious requests have it.
      caller: isSuspicious || isForwarded ? toIpv4(callerAddress) : undefined,
      // The name that OpenTelemetry specifies for JSON logs.
      trace_id: traceId,
    });
  }
  return { method, route, status, durationMs, key, code, isDeprecated };
}

const roundToMicroseconds = (milliseconds: number) => Math.round(milliseconds * 1000) / 1000;

/** Removes the prefix of an IPv4 address on an IPv6 socket. */
export const toIpv4 = (address = '') => address.replace(/^::ffff:(?=[\d.]+$)/i, '');
