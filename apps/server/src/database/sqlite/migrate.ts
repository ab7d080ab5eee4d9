import type BetterSqlite3 from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import type { SchemaAccess } from '../database.ts';
import { compareHistory, type Migrations, migrateToLatest, migrationFault } from '../migrator.ts';

/**
 * Brings a schema up to date. A migration may rebuild a table (https://sqlite.org/lang_altertable.html#otheralter):
 * foreign keys are off, so that nothing cascades. They stay off: from then on `SqliteDatabase` only reads through this
 * connection. The ids of removed rows are not used again.
 * @returns the names of the applied migrations
 * @throws DatabaseFault as `migrateToLatest` does, or when rows refer to rows that a migration removes; an error of
 *   SQLite
 */
export async function migrateConnection(
  connection: BetterSqlite3.Database,
  migrations: Migrations,
  access: SchemaAccess,
): Promise<string[]> {
  // SQLite ignores this pragma in a transaction.
  connection.pragma('foreign_keys = OFF');
  return transact(connection, 'begin immediate', async (db) => {
    // The sqlite3 shell, which enforces no foreign keys, may have left violations.
    const earlierCounts = countViolations(connection);
    const highestIds = readHighestIds(connection);
    const applied = await migrateToLatest(db, migrations, access);
    keepHighestIds(connection, highestIds);
    for (const [violation, count] of countViolations(connection)) {
      const added = count - (earlierCounts.get(violation) ?? 0n);
      if (added > 0n) throw migrationFault(`it would leave ${added} ${violation}`);
    }
    return applied;
  });
}

/** Runs `compareHistory` in a transaction, because it must see one state of the database. */
export const compareConnection = (
  connection: BetterSqlite3.Database,
  migrations: Migrations,
  access: SchemaAccess,
) => transact(connection, 'begin', (db) => compareHistory(db, migrations, access));

export async function transact<Result>(
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

/** Counts rows that refer to a missing row, by child and parent table. */
function countViolations(connection: BetterSqlite3.Database): ReadonlyMap<string, bigint> {
  const counts = `
    select 'rows of ' || "table" || ' without ' || parent, count(*) from pragma_foreign_key_check group by 1`;
  return new Map(connection.prepare<[], [violation: string, count: bigint]>(counts).raw().all());
}

export const hasTable = (connection: BetterSqlite3.Database, name: string): boolean =>
  connection.prepare('select 1 from sqlite_schema where name = ?').get(name) !== undefined;

export function readHighestIds(connection: BetterSqlite3.Database): readonly { name: string; seq: bigint }[] {
  if (!hasTable(connection, 'sqlite_sequence')) return [];
  return connection.prepare<[], { name: string; seq: bigint }>('select name, seq from sqlite_sequence').all();
}

/** A rebuilt or restored table would begin again after its highest row, and use ids of removed rows again. */
export function keepHighestIds(
  connection: BetterSqlite3.Database,
  before: ReturnType<typeof readHighestIds>,
): void {
  // A table that never had a row is not in `sqlite_sequence`, which lacks the unique key that "on conflict" needs.
  const add =
    'insert into sqlite_sequence select :name, 0 where :name not in (select name from sqlite_sequence)';
  const update = 'update sqlite_sequence set seq = max(seq, :seq) where name = :name';
  for (const row of before) for (const statement of [add, update]) connection.prepare(statement).run(row);
}
