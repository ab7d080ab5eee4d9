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

interface Sequence {
  cache: string;
  increment: string;
  isCycling: boolean;
  hasCitus: boolean;
}

/** Why the ids of a table would not be handed out one by one, in their order. */
export async function faultOfSequence(db: Kysely<unknown>, table: string): Promise<string | undefined> {
  const { rows } = await sql<Sequence>`
    select seqcache::text as cache, seqincrement::text as increment, seqcycle as "isCycling",
      to_regclass('pg_dist_partition') is not null as "hasCitus"
    from pg_sequence where seqrelid = pg_get_serial_sequence(${`"${table}"`}, 'id')::regclass
  `.execute(db);
  const [sequence] = rows;
  if (sequence === undefined) return `the ids of ${table} come from no sequence`;
  if (sequence.cache !== '1' || sequence.increment !== '1' || sequence.isCycling) {
    return `the sequence of ${table}.id must have CACHE 1, INCREMENT 1 and NO CYCLE: alter it`;
  }
  return sequence.hasCitus && (await isDistributed(db, table))
    ? `${table} is distributed by Citus: its ids would be skipped`
    : undefined;
}

async function isDistributed(db: Kysely<unknown>, table: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_dist_partition where logicalrelid = ${`"${table}"`}::regclass`.execute(db);
  return rows.length > 0;
}
