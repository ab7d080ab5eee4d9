import type pg from 'pg';
import { ConnectionError } from '../connection-error.ts';
import { isCausedByWork } from '../database.ts';
import { DatabaseFault } from '../database-fault.ts';
import { reasonOf } from '../reason.ts';
import { classify, isResponse } from './errors.ts';

/** The oldest version with the syntax of all statements. */
const OLDEST_MAJOR = 14;

/** The name of a WAL file begins with the timeline, in eight hexadecimal digits: strings compare like numbers. */
const TIMELINE = 'case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end';

/**
 * Checks that a connection leads to a primary with a supported version and encoding.
 * @returns the timeline of the server; `null` if the server refuses to tell (Aurora)
 * @throws ConnectionError `standby`; DatabaseFault
 */
export async function checkServer(client: pg.ClientBase): Promise<string | null> {
  const ask = (timeline: string) =>
    client.query<{ major: number; isStandby: boolean; encoding: string; timeline: string | null }>(`
      select current_setting('server_version_num')::int / 10000 as major, pg_is_in_recovery() as "isStandby",
        current_setting('server_encoding') as encoding, ${timeline} as timeline`);
  const { rows } = await ask(TIMELINE)
    .catch((error: unknown) => (isResponse(error) ? ask('null') : Promise.reject(error)))
    .catch((error: unknown) => {
      // `PrimaryPool` takes each error of a new connection for a refused login, which a start waits for.
      throw isResponse(error) && isCausedByWork({ classify }, error)
        ? new DatabaseFault(reasonOf(error))
        : error;
    });
  const { major = 0, isStandby = true, encoding, timeline = null } = rows[0] ?? {};
  if (isStandby) throw new ConnectionError('standby');
  if (major < OLDEST_MAJOR) {
    throw new DatabaseFault(`the server is PostgreSQL ${major}: it must be ${OLDEST_MAJOR} or newer`);
  }
  // Other encodings lack some characters of names, and SQL_ASCII accepts any bytes.
  if (encoding === 'UTF8') return timeline;
  throw new DatabaseFault(`the server has a database in the encoding ${encoding}: it must be UTF8`);
}
