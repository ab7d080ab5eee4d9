import type { ErrorCode } from '@petstore/contract';

/** A request that has ended, for the access log and the metrics. */
export interface RequestSummary {
  requestId: string;
  method: string;
  /** Route template; `undefined` when no route matched. */
  route: string | undefined;
  status: number;
  durationMs: number;
  /** The path, of a request that was refused because of what it asked for. */
  path: string | undefined;
  /** The address of its caller, likewise. */
  caller: string | undefined;
  /** The id of its trace, of a request that is part of one. */
  traceId: string | undefined;
  /** Name of the API key. */
  key: string | undefined;
  /** The code of an error response. */
  error: ErrorCode | undefined;
  /** Whether its operation is deprecated. */
  isDeprecated: boolean;
}
