import type BetterSqlite3 from 'better-sqlite3';
import { Kysely, SqliteDialect, sql } from 'kysely';
import type { ColumnTypes } from '../migrations/column-types.ts';
import { migrateToLatest } from '../migrations/migrate.ts';
import type { Tables } from '../schema.ts';

const columnTypes: ColumnTypes = {
  id: sql`integer primary key`,
  int64: sql`integer`,
  tableEnd: sql`strict`,
};

/**
 * Brings the schema up to date, as part of a transaction that has begun. It takes, returns and throws what
 * `migrateToLatest` does.
 */
export const migrateConnection = (connection: BetterSqlite3.Database, source?: string) =>
  migrateToLatest(
    new Kysely<Tables>({ dialect: new SqliteDialect({ database: connection }) }),
    columnTypes,
    source,
  );
