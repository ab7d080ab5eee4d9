/** How large a request may be, in bytes. */
export const sizeLimits = {
  /** The request line and the header fields together: 431 beyond. */
  head: 16 * 1024,
  /** The body: 413 beyond. */
  body: 64 * 1024,
} as const;
