import type { ErrorCode } from '@petstore/contract';

/** A request that has ended, for the access log and the metrics. */
export interface RequestSummary {
  requestId: string;
  method: string;
  /** Route template; `undefined` when no route matched. */
  route: string | undefined;
  status: number;
  durationMs: number;
  /** Name of the API key. */
  key: string | undefined;
  /** The code of an error response. */
  error: ErrorCode | undefined;
  /** Whether its operation is deprecated. */
  isDeprecated: boolean;
}
