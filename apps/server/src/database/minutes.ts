/**
 * The database's clock, in minutes since 1970. It dates and expires idempotency records, because the clock of a server
 * may be ahead.
 */
export const minutes = {
  sqlite: 'unixepoch() / 60',
  postgres: 'extract(epoch from now())::bigint / 60',
} as const;
