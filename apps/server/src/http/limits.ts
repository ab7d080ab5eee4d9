/** The limits of a request and of a connection that no operator tunes. */
export const limits = {
  /** From the connection, or the response before, to the end of the headers: 408 beyond. */
  headersTimeoutMs: 10_000,
  /** From the first byte of a request to the last of its body: 408 beyond. */
  requestTimeoutMs: 30_000,
  /**
   * How long nothing may move on a connection with a request, because the caller reads no response, for example. It is
   * longer than a request may take, so that a slow request gets its 408.
   */
  inactivityMs: 35_000,
  /** Requests that may wait on one connection for those before them: nothing more is read beyond. */
  pipelinedRequests: 64,
  /** Bytes of pipelined requests, request bodies and unread responses, on all connections together. */
  heldBytes: 32 * 1024 * 1024,
  /** How often Node looks for requests that take too long. */
  checkIntervalMs: 1_000,
  /** How long a caller that still sends has for its last response, before the connection is reset. */
  lingerMs: 2_000,
  /** How long connections that wait in the kernel are accepted when the server is about to close its port. */
  acceptMs: 1_000,
  /** How long idle connections are kept after SIGTERM for requests that are on their way: a far or busy caller needs it. */
  farewellMs: 500,
  /** How long requests in flight may take after SIGTERM before they are cut. */
  shutdownMs: 25_000,
  /** How long the process may take to end after that before it is killed. */
  endMs: 5_000,
} as const;
