import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { ConnectionError } from '../connection-error.ts';

/** The oldest version that has all that the statements use. */
const OLDEST_MAJOR = 14;

/** Engines with the protocol of PostgreSQL that have other locks, sequences or functions, by what `version()` says. */
const OTHER_ENGINES = /YugabyteDB|-YB-|CockroachDB|Redshift|DSQL|CrateDB|Materialize|QuestDB|Spanner/i;

const POSTGRES = /^PostgreSQL (\d+)(?:\.\d+|devel|beta\d+|rc\d+)* (?:on|\()/;

/** The timeline of a primary, in hexadecimal with leading zeros, so in the order of the numbers. */
const TIMELINE = `select pg_is_in_recovery() as "isStandby",
  case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`;

interface Role {
  isStandby: boolean;
  timeline?: string | null;
}

/**
 * Checks that a new connection leads to a primary.
 *
 * @returns its timeline, which is a higher one after each failover; `undefined` where the server does not tell (Aurora)
 * @throws ConnectionError `standby`
 */
export async function checkPrimary(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<Role>(TIMELINE).catch((error: unknown) => {
    if (!(error instanceof pg.DatabaseError)) throw error;
    return client.query<Role>('select pg_is_in_recovery() as "isStandby"');
  });
  const [role] = rows;
  if (role?.isStandby !== false) throw new ConnectionError('standby');
  return role.timeline ?? undefined;
}

/** What is wrong with a server before anything is done on it. */
export async function faultOfServer(db: Kysely<unknown>): Promise<string | undefined> {
  const { rows } = await sql<{ product: string; encoding: string; isStandby: boolean }>`
    select version() as product, current_setting('server_encoding') as encoding, pg_is_in_recovery() as "isStandby"
  `.execute(db);
  const { product = '', encoding, isStandby } = rows[0] ?? {};
  const [, major] = (!OTHER_ENGINES.test(product) && POSTGRES.exec(product)) || [];
  if (major === undefined) return `is not PostgreSQL but ${product.split(',')[0]}: ids would be skipped`;
  if (Number(major) < OLDEST_MAJOR) return `is PostgreSQL ${major}: it must be ${OLDEST_MAJOR} or newer`;
  if (isStandby) return 'is a standby: it must be the primary';
  // Another one has no place for some of the names that the interface allows, or takes any bytes.
  return encoding === 'UTF8' ? undefined : `has a database in the encoding ${encoding}: it must be UTF8`;
}
