import type BetterSqlite3 from 'better-sqlite3';
import { Kysely, SqliteDialect, sql } from 'kysely';
import type { EngineSyntax } from '../migrations/engine-syntax.ts';
import { isBehind, migrateToLatest, type SchemaAccess } from '../migrations/migrate.ts';
import type { Schema } from '../schema.ts';

export const sqliteSyntax: EngineSyntax = {
  tables: sql`select name from sqlite_schema where type = 'table'`,
  // Without `autoincrement` the id of a removed row would be used again.
  id: sql`integer primary key autoincrement`,
  int64: sql`integer`,
  uuid: sql`blob`,
  tableEnd: sql`strict`,
  keyedTableEnd: sql`strict, without rowid`,
};

/** Brings the schema up to date. It throws what `migrateToLatest` does, and an error of SQLite. */
export async function migrateConnection(
  connection: BetterSqlite3.Database,
  schema: Schema,
  access: SchemaAccess = 'migrate',
): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: connection }) });
  // Without the lock: a server starts while another one holds it because the disk does not respond.
  if (!(await isBehind(db, schema, sqliteSyntax, access))) return;
  connection.exec('begin immediate');
  try {
    await migrateToLatest(db, schema, sqliteSyntax, access);
    connection.exec('commit');
  } finally {
    if (connection.inTransaction) connection.exec('rollback');
  }
}
