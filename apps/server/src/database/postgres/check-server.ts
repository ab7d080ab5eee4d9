import { type Kysely, sql } from 'kysely';

/** The oldest version that has all that the statements use. */
const OLDEST_MAJOR = 14;

/** What is wrong with a server before anything is done on it. */
export async function faultOfServer(db: Kysely<unknown>): Promise<string | undefined> {
  const { rows } = await sql<{ major: number; encoding: string; isStandby: boolean }>`
    select current_setting('server_version_num')::int / 10000 as major, pg_is_in_recovery() as "isStandby",
      current_setting('server_encoding') as encoding
  `.execute(db);
  const { major = 0, encoding, isStandby } = rows[0] ?? {};
  if (major < OLDEST_MAJOR) return `is PostgreSQL ${major}: it must be ${OLDEST_MAJOR} or newer`;
  if (isStandby) return 'is a standby: it must be the primary';
  // Another one has no place for some of the names that the interface allows, or takes any bytes.
  return encoding === 'UTF8' ? undefined : `has a database in the encoding ${encoding}: it must be UTF8`;
}
