/** How large a request may be, in bytes. */
export const sizeLimits = {
  /** The request line and the headers together. A longer head gets 431. */
  head: 16 * 1024,
  /** The body. A longer body gets 413. */
  body: 64 * 1024,
} as const;
