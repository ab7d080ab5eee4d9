/** SQL for the database's clock, in minutes since 1970. A server's own clock may be ahead. */
export const currentMinute = {
  sqlite: 'unixepoch() / 60',
  postgres: 'extract(epoch from now())::bigint / 60',
} as const;
