/**
 * The database's clock, in minutes since 1970. Idempotency records have their time from it and expire by it: a server's
 * own clock may be ahead.
 */
export const minutes = {
  sqlite: 'unixepoch() / 60',
  postgres: 'extract(epoch from now())::bigint / 60',
} as const;
