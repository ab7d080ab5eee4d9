// node-postgres in place of postgres.js, both with prepared statements, 32 callers and a statement for each: it made 1.5
// times as many reads by id a second, 1.1 times as many listings, and 1.3 times as many transactions.
import type pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import type { Database } from '../database.ts';
import { DatabaseFault } from '../database-fault.ts';
import type { SchemaAccess } from '../migrations/migrate.ts';
import { reasonOf } from '../reason.ts';
import type { Schema } from '../schema.ts';
import { PostgresDatabase } from './database.ts';
import { splitHosts } from './hosts.ts';
import { migrate } from './migrate.ts';
import { PrimaryPool } from './pool.ts';

/** How much longer than the server's own limit the response to a statement is waited for. */
const RESPONSE_GRACE_MS = 500;

const POOLER_HINT = 'set ignore_startup_parameters = statement_timeout in PgBouncer';

/**
 * Connects to a PostgreSQL database.
 *
 * @param limits of its pool
 * @throws DatabaseFault when it cannot be reached or used, or its schema is not the one that is needed
 */
export async function openPostgres(
  url: string,
  schema: Schema,
  limits: pg.PoolConfig & { statement_timeout: number },
  access?: SchemaAccess,
): Promise<Database> {
  const { connectionTimeoutMillis, statement_timeout } = limits;
  const hosts = configsOf(url, schema.name);
  const pool = new PrimaryPool(hosts, { ...limits, query_timeout: statement_timeout + RESPONSE_GRACE_MS });
  try {
    const migrating = new PrimaryPool(hosts, { max: 1, connectionTimeoutMillis });
    await migrate(migrating, schema, statement_timeout, access);
    // A server or pooler that responds may still refuse connections: PgBouncer does for a setting that it does not know.
    (await pool.connect()).release();
  } catch (error) {
    await pool.end();
    if (error instanceof DatabaseFault) throw error;
    const addresses = hosts.map(({ host, port = 5432 }) => `${host}:${port}`);
    const reason = reasonOf(error).replace(/unsupported startup parameter.*/, `$&: ${POOLER_HINT}`);
    throw new DatabaseFault(`cannot use the database at ${addresses}: ${reason}`);
  }
  return new PostgresDatabase(pool, schema, statement_timeout);
}

/**
 * Reads from a URL how to reach each of its hosts.
 *
 * @throws DatabaseFault when a certificate is missing, say
 */
export function configsOf(url: string, fallback_application_name: string): pg.ClientConfig[] {
  try {
    return splitHosts(url).map((one) => {
      const parsed = new URL(one);
      // `sslmode` means what it means to libpq: `require` encrypts, `verify-full` also checks the server's name.
      parsed.searchParams.set('uselibpqcompat', 'true');
      return { fallback_application_name, ...parseIntoClientConfig(parsed.href) };
    });
  } catch (error) {
    throw new DatabaseFault(reasonOf(error));
  }
}
