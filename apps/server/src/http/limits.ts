import { sizeLimits } from '@petstore/contract';

/** What a request may take, in one place. Those that an operator tunes are in `config.ts`. */
export const limits = {
  /** Bytes of the request line and the header fields together: 431 beyond. */
  headerBytes: sizeLimits.head,
  /** Bytes of a body: 413 beyond. */
  bodyBytes: sizeLimits.body,
  /** From the connection, or the answer before, to the end of the header fields: 408 beyond. */
  headersTimeoutMs: 10_000,
  /** From the first byte of a request to the last of its body: 408 beyond. */
  requestTimeoutMs: 30_000,
  /** How long an idle connection is kept for a next request. */
  keepAliveTimeoutMs: 10_000,
  /**
   * How long a connection may stand still, as that of a caller who does not read its answers: longer than
   * a request may take, which gets its 408 at the next check.
   */
  inactivityMs: 35_000,
  /** Requests on one connection whose answers are not taken yet: the connection is cut beyond. */
  pipelinedRequests: 64,
  /** How often Node looks for requests that take too long. */
  checkIntervalMs: 1_000,
  /** How long the rest of a body that nobody wants is taken and thrown away after the answer. */
  lingerMs: 2_000,
  /** How long idle connections are kept after SIGTERM for requests that are on their way. */
  farewellMs: 150,
  /** How long requests in flight may take after SIGTERM before they are cut. */
  shutdownMs: 25_000,
} as const;
