import type BetterSqlite3 from 'better-sqlite3';
import { Kysely, SqliteDialect, sql } from 'kysely';
import type { EngineSyntax } from '../migrations/engine-syntax.ts';
import { migrateToLatest } from '../migrations/migrate.ts';
import type { Schema } from '../schema.ts';
import { trackChanges } from './track-changes.ts';

export const sqliteSyntax: EngineSyntax = {
  tables: sql`select name from sqlite_schema where type = 'table'`,
  id: sql`integer primary key`,
  int64: sql`integer`,
  uuid: sql`blob`,
  tableEnd: sql`strict`,
  keyedTableEnd: sql`strict, without rowid`,
  trackChanges,
};

/**
 * Brings the schema up to date, as part of a transaction that has begun. It takes, returns and throws what
 * `migrateToLatest` does.
 */
export const migrateConnection = (connection: BetterSqlite3.Database, schema: Schema) =>
  migrateToLatest(
    new Kysely<unknown>({ dialect: new SqliteDialect({ database: connection }) }),
    schema,
    sqliteSyntax,
  );
