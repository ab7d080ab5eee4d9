// node-postgres in place of postgres.js, both with prepared statements, 32 callers and a statement for each: it made 1.5
// times as many reads by id a second, 1.1 times as many listings, and 1.3 times as many transactions.
import pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import type { Database } from '../database.ts';
import { DatabaseFault } from '../database-fault.ts';
import { parseInt64 } from '../int64.ts';
import type { Schema } from '../schema.ts';
import { parseHosts } from './connections/hosts.ts';
import { PostgresPool } from './connections/pool.ts';
import { PostgresDatabase, type Report } from './database.ts';
import { migrate } from './writes/migrate.ts';

interface PostgresLimits {
  /** Connections, at most. */
  poolSize: number;
  /** How long making a connection, or waiting for a free one, may take. */
  connectTimeoutMs: number;
  /** How long the response to a statement may take. */
  statementTimeoutMs: number;
  /** How long an unused connection is kept. */
  idleTimeoutMs: number;
}

const INT8_OID = 20;
const INT8_ARRAY_OID = 1016;

/**
 * Connects to a PostgreSQL database and brings its schema up to date.
 *
 * @param report hears of what an operator may want to know while the database is open
 * @throws DatabaseFault when it cannot be reached or used, or its schema is newer than this release
 */
export async function openPostgres(
  url: string,
  schema: Schema,
  limits: PostgresLimits,
  report: Report,
): Promise<Database> {
  const { poolSize: size, connectTimeoutMs: waitTimeoutMs, idleTimeoutMs, statementTimeoutMs } = limits;
  const { configs, isPrimaryWanted } = configsOf(url, schema.name, waitTimeoutMs);
  await migrate(await findPrimary(configs), schema, statementTimeoutMs);
  const settings = { size, waitTimeoutMs, idleTimeoutMs, statementTimeoutMs, isPrimaryWanted };
  const pool = new PostgresPool(configs, settings);
  return new PostgresDatabase({ pool, schema, report });
}

/**
 * Reads from a URL how to reach each of its hosts, and whether only the primary among them will do.
 *
 * @throws DatabaseFault when it names none
 */
export function configsOf(url: string, applicationName: string, connectTimeoutMs: number) {
  const hosts = parseHosts(url);
  if (hosts === undefined) throw new DatabaseFault('no server can be found in it');
  const configs = hosts.urls.map((one) => clientConfig(one, applicationName, connectTimeoutMs));
  return { configs, isPrimaryWanted: hosts.isPrimaryWanted };
}

/** The host that is the primary now; any host where none can be reached, so that the error names it. */
export async function findPrimary(configs: readonly pg.ClientConfig[]): Promise<pg.ClientConfig> {
  const [first = {}, ...others] = configs;
  if (others.length === 0) return first;
  for (const config of configs) {
    const client = new pg.Client(config);
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query<{ isStandby: boolean }>(
        'select pg_is_in_recovery() as "isStandby"',
      );
      if (rows[0]?.isStandby === false) return config;
    } catch {
      // Another host may respond.
    } finally {
      await client.end().catch(() => {});
    }
  }
  return first;
}

/** No settings of the session: behind a pooler it is shared with other programs, and some poolers refuse them. */
function clientConfig(url: string, applicationName: string, connectTimeoutMs: number): pg.ClientConfig {
  return {
    fallback_application_name: applicationName,
    ...parseIntoClientConfig(withLibpqSslModes(url)),
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    types: { getTypeParser },
  };
}

/** Of int64 and of arrays of them: exactly. */
const getTypeParser: pg.CustomTypesConfig['getTypeParser'] = (oid, format) => {
  if (oid === INT8_OID) return parseInt64;
  const parse = pg.types.getTypeParser(oid, format);
  return Number(oid) === INT8_ARRAY_OID ? (text: string) => parse(text).map(parseInt64) : parse;
};

/** `sslmode` is to mean what it means to libpq: `require` encrypts, `verify-full` checks whom it talks to as well. */
function withLibpqSslModes(url: string): string {
  const parsed = new URL(url);
  if (parsed.searchParams.has('sslmode')) parsed.searchParams.set('uselibpqcompat', 'true');
  return parsed.href;
}
