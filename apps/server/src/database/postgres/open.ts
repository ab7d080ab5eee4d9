// node-postgres in place of postgres.js, both with prepared statements, 32 callers and a statement for each: it made 1.5
// times as many reads by id a second, 1.1 times as many listings, and 1.3 times as many transactions.
import pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import type { Database } from '../database.ts';
import { DatabaseFault } from '../database-fault.ts';
import { parseInt64 } from '../int64.ts';
import type { SchemaAccess } from '../migrations/migrate.ts';
import { reasonOf } from '../reason.ts';
import type { Schema } from '../schema.ts';
import { PostgresDatabase } from './database.ts';
import { parseHosts } from './hosts.ts';
import { migrate } from './migrate.ts';
import { PrimaryPool } from './pool.ts';

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

/** How much longer than the server's own limit the response to a statement is waited for. */
const RESPONSE_GRACE_MS = 500;

const INT8_OID = 20;

/**
 * Connects to a PostgreSQL database.
 *
 * @throws DatabaseFault when it cannot be reached or used, or its schema is not the one that is needed
 */
export async function openPostgres(
  url: string,
  schema: Schema,
  { poolSize, connectTimeoutMs, statementTimeoutMs, idleTimeoutMs }: PostgresLimits,
  access?: SchemaAccess,
): Promise<Database> {
  const hosts = configsOf(url, schema.name, connectTimeoutMs);
  const pool = new PrimaryPool(hosts, {
    max: poolSize,
    idleTimeoutMillis: idleTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + RESPONSE_GRACE_MS,
  });
  try {
    await migrate(new PrimaryPool(hosts, { max: 1 }), schema, statementTimeoutMs, access);
    // A server or pooler that responds may still refuse connections: PgBouncer does for a setting that it does not know.
    (await pool.connect()).release();
  } catch (error) {
    await pool.end();
    if (error instanceof DatabaseFault) throw error;
    const addresses = hosts.map(({ host, port = 5432 }) => `${host}:${port}`);
    throw new DatabaseFault(`cannot use the database at ${addresses}: ${explain(reasonOf(error))}`);
  }
  return new PostgresDatabase(pool, schema, statementTimeoutMs);
}

/** Adds what to set to what a pooler says. */
const explain = (reason: string) =>
  /unsupported startup parameter/.test(reason)
    ? `${reason}: set ignore_startup_parameters = statement_timeout in PgBouncer`
    : reason;

/**
 * Reads from a URL how to reach each of its hosts.
 *
 * @throws DatabaseFault when it names none
 */
export function configsOf(url: string, applicationName: string, connectTimeoutMs: number) {
  const [first, ...others] = (parseHosts(url) ?? []).map((one) =>
    clientConfig(one, applicationName, connectTimeoutMs),
  );
  if (first === undefined) throw new DatabaseFault('no server can be found in it');
  return [first, ...others] as const;
}

function clientConfig(url: string, applicationName: string, connectTimeoutMs: number): pg.ClientConfig {
  return {
    fallback_application_name: applicationName,
    ...parseIntoClientConfig(withLibpqSslModes(url)),
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    types: { getTypeParser },
  };
}

/** Reads int64 exactly. */
const getTypeParser: pg.CustomTypesConfig['getTypeParser'] = (oid, format) =>
  oid === INT8_OID ? parseInt64 : pg.types.getTypeParser(oid, format);

/** `sslmode` is to mean what it means to libpq: `require` encrypts, `verify-full` checks whom it talks to as well. */
function withLibpqSslModes(url: string): string {
  const parsed = new URL(url);
  if (parsed.searchParams.has('sslmode')) parsed.searchParams.set('uselibpqcompat', 'true');
  return parsed.href;
}
