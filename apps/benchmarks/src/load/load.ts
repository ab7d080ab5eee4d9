import type { Workload } from './template.ts';

/** What a load generator is told. */
export interface Load {
  port: number;
  workload: Workload;
  connections: number;
}

export interface LoadResult {
  requestsPerSecond: number;
  /** Requests that got a response. */
  responses: number;
  /** Responses with a 4xx or 5xx, and connections or requests that failed. */
  failed: number;
}

/** Sends a load for a time. */
export type Generator = (load: Load, seconds: number) => Promise<LoadResult>;
