import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { trace } from '@opentelemetry/api';
import { REQUEST_ID, type Route } from '@petstore/contract';
import type { NextFunction, Response } from 'express';
import type { Connection } from './connection.ts';

/** Express's response with typed locals. Its own type has `any` for each name that `Locals` lacks. */
export interface TypedResponse extends Omit<Response, 'locals'> {
  locals: Express.Locals;
}

export type Middleware<Req = IncomingMessage> = (req: Req, res: TypedResponse, next: NextFunction) => void;

/** Middleware that runs once ts-rest has noted the route. */
export type OperationMiddleware = Middleware<IncomingMessage & { readonly tsRestRoute: Route }>;

declare global {
  namespace Express {
    /** Members that `beginRequest` sets. A file that adds a member declares it. */
    interface Locals {
      readonly connection: Connection;
      readonly requestId: string;
      /** The id of the caller's trace (W3C Trace Context). */
      readonly traceId: string | undefined;
      /** When the request started, in milliseconds of `performance.now()`. */
      readonly start: number;
      /** The address of the caller, as a trusted proxy reports it. @default the address of the connection */
      readonly callerAddress: string | undefined;
      readonly notes: RequestNotes;
    }
  }
}

/** Facts about a request for its log line and the metrics. */
interface RequestNotes {
  /** The template of the path, once a route has matched. */
  route?: string;
  isDeprecated?: boolean;
  /** Name of the API key. */
  key?: string;
  /** Code of an error response. */
  code?: string | undefined;
  /** How long the request has waited for the database. */
  databaseMs?: number | undefined;
  /** When the present wait for the database started, in milliseconds of `performance.now()`. */
  databaseSince?: number | undefined;
  /** Further members of the log line. */
  details?: Readonly<Record<string, string | number | bigint>>;
}

/**
 * Version, trace id, parent id and flags. No id is all zeros, and no version is ff. Versions after 00 may append further
 * fields (W3C Trace Context, 3.2).
 */
const TRACEPARENT =
  /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:$|(?<!^00.*)-)/;

/** Sets the headers of every response, and `res.locals`. It runs before all middleware. */
export function beginRequest(req: IncomingMessage, res: TypedResponse, connection: Connection): void {
  const { traceparent = '', 'x-request-id': sentId } = req.headers;
  const requestId = typeof sentId === 'string' && REQUEST_ID.test(sentId) ? sentId : randomUUID();
  // A handler may replace Cache-Control.
  res.set({ 'X-Request-Id': requestId, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' });
  res.locals = {
    connection,
    requestId,
    // With OpenTelemetry preloaded, each request has a span, even without `traceparent`.
    traceId: trace.getActiveSpan()?.spanContext().traceId ?? TRACEPARENT.exec(String(traceparent))?.[1],
    start: performance.now(),
    // Without the header `req.ip` is the connection's address, too, but takes 0.5 µs.
    callerAddress: req.headers['x-forwarded-for'] === undefined ? connection.remoteAddress : res.req.ip,
    notes: {},
  };
}

/** Waits for the database, its queue included. The log line of the request has the time. */
export async function timeDatabase<Value>(
  { locals: { notes } }: { readonly locals: Express.Locals },
  call: Promise<Value>,
): Promise<Value> {
  notes.databaseSince = performance.now();
  try {
    return await call;
  } finally {
    notes.databaseMs = databaseTimeOf(notes);
    notes.databaseSince = undefined;
  }
}

/**
 * Returns how long a request has waited for the database, in milliseconds. A wait that has not ended counts, because the
 * caller may have gone away.
 */
export function databaseTimeOf({ databaseMs, databaseSince }: RequestNotes): number | undefined {
  return databaseSince === undefined ? databaseMs : (databaseMs ?? 0) + performance.now() - databaseSince;
}

type StatedHeaders<Given extends Route> = NonNullable<Given['metadata']['responseHeaders']>;

/** Names of the headers that an operation states for a status. */
export type HeaderOf<
  Given extends Route,
  Status extends keyof StatedHeaders<Given>,
> = StatedHeaders<Given>[Status] extends readonly (infer Name extends string)[] ? Name : never;

/**
 * Sets headers that the operation states for a success: `setHeaders<typeof createPet, 201>(res, …)`. Call it last: an
 * error would have the headers, too.
 */
export function setHeaders<Given extends Route, Status extends keyof StatedHeaders<Given>>(
  res: Response,
  headers: { readonly [Name in HeaderOf<Given, Status>]?: string | undefined },
): void {
  for (const [name, value] of Object.entries<string | undefined>(headers)) {
    // Appended, because a deprecation may have set Link.
    if (value !== undefined) res.append(name, value);
  }
}
