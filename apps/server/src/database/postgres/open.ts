// With 32 callers, node-postgres makes 1.5 times the reads by id and 1.3 times the transactions of postgres.js.
import type pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { DatabaseFault } from '../database-fault.ts';
import { reasonOf } from '../reason.ts';
import type { Schema } from '../schema.ts';
import { PostgresDatabase } from './database.ts';
import { classify } from './errors.ts';
import { splitHosts } from './hosts.ts';
import { PrimaryPool } from './pool.ts';

/** A response is awaited for this long after the server's own statement timeout. */
const RESPONSE_GRACE_MS = 500;

/** The time limit of a statement of a migration or a copy. */
export const LONG_QUERY_TIMEOUT_MS = 10 * 60_000;

/** Waiting does not repair PgBouncer's configuration. */
const POOLER_FAULT = /unsupported startup parameter|statement pooling mode/;
const POOLER_HINT = 'set ignore_startup_parameters = statement_timeout in PgBouncer';

interface PostgresLocation {
  readonly url: string;
  /** Reads the URL again for the password of each new connection. */
  readonly readUrl?: (() => string) | undefined;
}

/**
 * Makes a database that is not open yet.
 * @throws DatabaseFault when a certificate is missing, for example
 */
export function createPostgres(
  location: PostgresLocation,
  schema: Schema,
  limits: pg.PoolConfig & { statement_timeout: number },
): PostgresDatabase {
  const { connectionTimeoutMillis, statement_timeout: statementTimeoutMs } = limits;
  const hosts = configsOf(location, schema.name);
  const addresses = hosts.map(({ host, port = 5432 }) => `${host}:${port}`);
  const pool = new PrimaryPool(hosts, { ...limits, query_timeout: statementTimeoutMs + RESPONSE_GRACE_MS });
  return new PostgresDatabase(pool, schema, {
    statementTimeoutMs,
    createMigrationPool: () =>
      new PrimaryPool(hosts, { max: 1, connectionTimeoutMillis, query_timeout: LONG_QUERY_TIMEOUT_MS }),
    explain(error) {
      const reason = reasonOf(error).replace(/unsupported startup parameter.*/, `$&: ${POOLER_HINT}`);
      const isTransient = isAway(error) && !POOLER_FAULT.test(reason);
      const message =
        error instanceof DatabaseFault ? reason : `cannot use the database at ${addresses}: ${reason}`;
      return new DatabaseFault(message, { cause: error, isTransient });
    },
  });
}

/** Whether the server was away, or refused the connection. */
function isAway(error: unknown): boolean {
  if (error instanceof DatabaseFault && error.isTransient) return true;
  const reason = error instanceof DatabaseFault ? error.cause : error;
  if (!(reason instanceof Error) || reason.cause instanceof DatabaseFault) return false;
  // Errors of node-postgres have no class of their own.
  const isLost = /^(?:Connection terminated|Query read timeout)/.test(reason.message) || 'syscall' in reason;
  return isLost || classify(reason) !== undefined;
}

/**
 * Returns the configuration of each host of a URL.
 * @throws DatabaseFault when a certificate is missing, for example
 */
export function configsOf(
  { url, readUrl }: PostgresLocation,
  fallback_application_name: string,
): pg.ClientConfig[] {
  try {
    return splitHosts(url).map((one) => {
      const parsed = new URL(one);
      // `sslmode` means what it means to libpq: `require` encrypts, `verify-full` also checks the server's name.
      parsed.searchParams.set('uselibpqcompat', 'true');
      const config = { fallback_application_name, ...parseIntoClientConfig(parsed.href) };
      return readUrl === undefined ? config : { ...config, password: () => passwordOf(readUrl()) };
    });
  } catch (error) {
    throw new DatabaseFault(reasonOf(error));
  }
}

/** All hosts have the same password. */
const passwordOf = (url: string): string =>
  decodeURIComponent(URL.parse(splitHosts(url)[0] ?? '')?.password ?? '');
