/** Limits that operators cannot configure. The sizes of headers and bodies are `sizeLimits` of the contract. */
export const limits = {
  /** From the opening of a connection to its first byte, and from a request's first byte to the end of its headers. */
  headersTimeoutMs: 10_000,
  /** From the first byte of a request to the last byte of its body: 408 beyond. */
  requestTimeoutMs: 30_000,
  /** The longest silence during a request. If bytes of a response wait to be sent, Node restarts its timer once. */
  inactivityMs: 35_000, // Longer than `requestTimeoutMs`, so that 408 comes first.
  /** Requests that may wait on one connection. At this number the service stops reading the connection. */
  pipelinedRequests: 64,
  /** Bytes of pipelined requests, request bodies and unread responses, on all connections together. */
  outstandingBytes: 32 * 1024 * 1024,
  /** Connections to the admin listener. Node closes further ones at once. */
  adminConnections: 32,
  /** How often Node looks for connections that exceed `headersTimeoutMs` or `requestTimeoutMs`. */
  checkIntervalMs: 1_000,
  /** How long a caller that still sends may take to read its last response, before the connection is reset. */
  lingerMs: 2_000,
  /** How long, at most, connections that wait in the kernel are accepted before the port is closed. */
  acceptMs: 1_000,
  /** How long idle connections are kept once the port is closed, for requests that are on their way. */
  idleGraceMs: 500,
  /** How long requests may take once the port is closed. Then their connections are cut. */
  shutdownMs: 25_000,
  /** How long the process may take to end once all connections are closed, before it is killed. */
  endMs: 5_000,
} as const;
