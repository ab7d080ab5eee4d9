/** Identifies a request in traces (W3C Trace Context, 3.2). */
export interface TraceContext {
  traceId: string;
  /** The caller's span. */
  spanId: string;
  /** Whether the caller records the trace. */
  isSampled: boolean;
}

/** A later version may have more members after these. */
const TRACEPARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** Parses the header of a request; one that is not valid counts as none. */
export function parseTraceparent(header: unknown): TraceContext | undefined {
  if (typeof header !== 'string') return undefined;
  const [, version, traceId, spanId, flags = '', rest] = TRACEPARENT.exec(header) ?? [];
  if (traceId === undefined || spanId === undefined || (version === '00' && rest !== undefined))
    return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
