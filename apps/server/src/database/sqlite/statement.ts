import type BetterSqlite3 from 'better-sqlite3';
import type { CompiledQuery } from 'kysely';
import type { Result } from '../driver.ts';

/** A query as another thread gets it. */
export type StatementData = Pick<CompiledQuery, 'sql' | 'parameters'>;

export interface Statement {
  /** Whether it returns rows and changes nothing. */
  readonly isRead: boolean;
  /** @throws SqliteError */
  run(parameters: readonly unknown[]): Result;
}

/** Prepares a statement. @throws SqliteError when it is not valid */
export function prepareStatement(connection: BetterSqlite3.Database, sql: string): Statement {
  const statement = connection.prepare<[readonly unknown[]], unknown[]>(sql);
  if (!statement.reader) {
    const run = (parameters: readonly unknown[]) => {
      const { changes, lastInsertRowid } = statement.run(parameters);
      return { columns: [], rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    };
    // SQLite counts BEGIN and COMMIT as reads.
    return { isRead: false, run };
  }
  let columns: string[] | undefined;
  const run = (parameters: readonly unknown[]) => {
    const rows = statement.raw().all(parameters);
    // Read after the first rows: `all` compiles again if the schema has changed. The columns stay the same from then
    // on, because only queries without `select *` run again.
    columns ??= statement.columns().map(({ name }) => name);
    return { columns, rows };
  };
  return { isRead: statement.readonly, run };
}
