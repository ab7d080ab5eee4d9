import type BetterSqlite3 from 'better-sqlite3';
import { Kysely, SqliteDialect, sql } from 'kysely';
import type { SchemaAccess } from '../database.ts';
import type { EngineSyntax } from '../migrations/engine-syntax.ts';
import { compareHistory, migrateToLatest } from '../migrations/migrate.ts';
import type { Schema } from '../schema.ts';

export const sqliteSyntax: EngineSyntax = {
  columns: sql`
    select made.name as "table", "column".name,
      "column"."notnull" and "column".dflt_value is null and not "column".pk as "isRequired"
    from sqlite_schema as made, pragma_table_info(made.name) as "column" where made.type = 'table'`,
  // Without `autoincrement` the id of a removed row would be used again.
  id: sql`integer primary key autoincrement`,
  int64: sql`integer`,
  uuid: sql`blob`,
  tableEnd: sql`strict`,
  keyedTableEnd: sql`strict, without rowid`,
};

/**
 * @returns the names of the applied migrations
 * @throws DatabaseFault as `migrateToLatest` does; an error of SQLite
 */
export async function migrateConnection(
  connection: BetterSqlite3.Database,
  schema: Schema,
  access: SchemaAccess,
): Promise<string[]> {
  // This comparison takes no write lock, because a server whose disk is stalled may hold it.
  const { missing } = await compareConnection(connection, schema, access);
  if (missing.length === 0) return [];
  return transact(connection, 'begin immediate', (db) => migrateToLatest(db, schema, sqliteSyntax, access));
}

export const compareConnection = (connection: BetterSqlite3.Database, schema: Schema, access: SchemaAccess) =>
  transact(connection, 'begin', (db) => compareHistory(db, schema, sqliteSyntax, access));

async function transact<Result>(
  connection: BetterSqlite3.Database,
  begin: 'begin' | 'begin immediate',
  work: (db: Kysely<unknown>) => Promise<Result>,
): Promise<Result> {
  connection.exec(begin);
  try {
    const result = await work(new Kysely({ dialect: new SqliteDialect({ database: connection }) }));
    connection.exec('commit');
    return result;
  } finally {
    if (connection.inTransaction) connection.exec('rollback');
  }
}
