import BetterSqlite3 from 'better-sqlite3';
import type { Schema } from '../schema.ts';
import { migrateConnection } from '../sqlite/migrate.ts';

interface Column {
  readonly name: string;
  /** As PostgreSQL names it. */
  readonly type: 'bigint' | 'text' | 'uuid';
}

/** A table whose rows are copied. */
export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** The column by which the rows are unique, and in whose order they are copied. */
  readonly key: Column;
}

/** What of a service is copied. */
export interface CopyPlan {
  readonly schema: Schema;
  /** The names of the migrations that both sides must have. */
  readonly migrations: readonly string[];
  /** The tables in which it keeps its data, by their names. */
  readonly tables: readonly Table[];
}

/**
 * Finds out what the migrations of a service make in an empty database: its tables, whatever they are. A database with
 * data does not tell, for it may have tables of other programs and of another release.
 */
export async function planCopy(schema: Schema): Promise<CopyPlan> {
  const connection = new BetterSqlite3(':memory:');
  try {
    await migrateConnection(connection, schema);
    const migrations = connection.prepare<[], string>('select name from kysely_migration order by name');
    // What says how the schema came about is of each database alone. Records come after the rows that they refer to.
    const names = connection.prepare<[string], string>(
      `select name from sqlite_schema where type = 'table' and name not like 'sqlite^_%' escape '^' and name not in
         ('kysely_migration', 'kysely_migration_lock')
       order by name <> ?, name`,
    );
    const tables = names.pluck().all(schema.versionedTable);
    return {
      schema,
      migrations: migrations.pluck().all(),
      tables: tables.map((name) => describeTable(connection, name)),
    };
  } finally {
    connection.close();
  }
}

function describeTable(connection: BetterSqlite3.Database, name: string): Table {
  const columns = connection
    .prepare<[string], Column & { isKey: number }>(
      `select name, case lower(type) when 'integer' then 'bigint' when 'blob' then 'uuid' else 'text' end as type,
         pk as isKey from pragma_table_info(?)`,
    )
    .all(name);
  const key = columns.find(({ isKey }) => isKey === 1);
  if (key === undefined) throw new Error(`The table ${name} has no primary key`);
  return { name, columns, key };
}
