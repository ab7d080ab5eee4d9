/** SQL for the database's clock, in minutes since 1970. A server's own clock may be ahead. */
export const currentMinute = {
  sqlite: 'unixepoch() / 60',
  postgres: 'floor(extract(epoch from now()) / 60)::bigint',
} as const;
