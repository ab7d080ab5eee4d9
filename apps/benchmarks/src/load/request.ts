/** A request as the load generators send it, over and over. */
export interface Request {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface Load {
  port: number;
  /** Sent in turn, from the first again after the last. */
  requests: readonly Request[];
  connections: number;
  seconds: number;
}

export interface LoadResult {
  requestsPerSecond: number;
  /** Requests that were answered. */
  answered: number;
  /** Answers that say no (4xx, 5xx), and connections or requests that failed. */
  failed: number;
}
