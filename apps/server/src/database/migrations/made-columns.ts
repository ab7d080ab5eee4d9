import {
  AddColumnNode,
  AlterTableNode,
  ColumnDefinitionNode,
  CreateTableNode,
  DropColumnNode,
  DummyDriver,
  Kysely,
  type LogEvent,
  type OperationNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Finds the columns that migrations make, from their statements. Statements that are written as SQL do not count.
 * @returns names such as `pets.id`
 */
export async function columnsMadeBy(
  migrations: readonly [string, Migration][],
): Promise<ReadonlySet<string>> {
  const columns = new Set<string>();
  // Nothing runs. The dialect of either engine will do, because `log` gets the statements before they are compiled.
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    log: ({ query: { query } }: LogEvent) => applyTo(columns, query),
  });
  for (const [, { up }] of migrations) await up(db);
  return columns;
}

function applyTo(columns: Set<string>, statement: OperationNode): void {
  if (!CreateTableNode.is(statement) && !AlterTableNode.is(statement)) return;
  const table = statement.table.table.identifier.name;
  const changes = CreateTableNode.is(statement) ? statement.columns : (statement.columnAlterations ?? []);
  for (const change of changes) {
    const added = AddColumnNode.is(change) ? change.column : change;
    if (ColumnDefinitionNode.is(added)) columns.add(`${table}.${added.column.column.name}`);
    if (DropColumnNode.is(change)) columns.delete(`${table}.${change.column.column.name}`);
  }
}
