/** Compares src/tables.ts with what src/migrations makes: part of the build, because no type tells it. */
import { readdirSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { migrateConnection, sqliteSyntax } from '../src/database/sqlite/migrate.ts';
import { migrations } from '../src/migrations/index.ts';
import { schema } from '../src/schema.ts';
import { tables } from '../src/tables.ts';

const errors = [...checkIndex(), ...checkColumns(await findMigratedColumns())];
for (const error of errors) console.error(error);
if (errors.length > 0) process.exitCode = 1;

function checkIndex(): string[] {
  const folder = readdirSync(new URL('../src/migrations', import.meta.url));
  const files = folder.filter((file) => file !== 'index.ts').toSorted();
  const listed = Object.keys(migrations(sqliteSyntax)).map((name) => `${name}.ts`);
  if (listed.join() === files.join()) return [];
  return [`src/migrations/index.ts: error: it must list ${files.join(', ')} in this order`];
}

/** A table may have columns that only other releases use. */
function checkColumns(migrated: ReadonlyMap<string, string>): string[] {
  return Object.entries(tables)
    .flatMap(([table, columns]) =>
      Object.entries(columns).map(([column, type]) => [`${table}.${column}`, type] as const),
    )
    .filter(([column, type]) => migrated.get(column) !== type)
    .map(([column, type]) => {
      const found =
        migrated.get(column) ?? 'no column: add a migration, and list it in src/migrations/index.ts';
      return `src/migrations: error: ${column} is "${type}" in src/tables.ts, and the migrations make ${found}`;
    });
}

/** The types of the columns that an empty database gets, by table and column, as src/tables.ts names them. */
async function findMigratedColumns(): Promise<Map<string, string>> {
  const database = new BetterSqlite3(':memory:');
  await migrateConnection(database, schema);
  const columns = database.prepare<[], { column: string; type: string }>(
    `select t.name || '.' || c.name as "column",
            case lower(c.type) when 'integer' then 'int64' when 'blob' then 'uuid' else 'text' end || iif(c."notnull" or c.pk, '', ' or null') as type
       from sqlite_schema as t join pragma_table_info(t.name) as c where t.type = 'table'`,
  );
  return new Map(columns.all().map(({ column, type }) => [column, type]));
}
