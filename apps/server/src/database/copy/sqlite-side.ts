import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { DatabaseFault } from '../database-fault.ts';
import { faultOfId } from '../sqlite/backup.ts';
import { whileBusy } from '../sqlite/busy.ts';
import { createDatabaseFile } from '../sqlite/new-file.ts';
import { openSqlite } from '../sqlite/open.ts';
import type { CopyPlan, Table } from './copy-plan.ts';
import { BATCH_SIZE, type CopySide, list, type Role, type Row } from './copy-side.ts';

type Values = (bigint | string | null)[];

/**
 * Opens a database, and takes the lock that a write needs: servers go on reading.
 *
 * @param role a target is created where there is none
 * @throws DatabaseFault when there is no source; an error of SQLite when another process holds the lock
 */
export async function openSqliteSide(file: string, { schema }: CopyPlan, role: Role): Promise<CopySide> {
  if (!existsSync(file)) {
    if (role === 'source') throw new DatabaseFault(`there is no database at ${file}`);
    await createDatabaseFile(file, async (temporary) => {
      await using _database = await openSqlite(temporary, schema);
    });
  }
  const fault = faultOfId(file, schema.applicationId);
  if (fault) throw new DatabaseFault(`${file} ${fault}`);
  const connection = new BetterSqlite3(file, { timeout: 0 });
  try {
    connection.defaultSafeIntegers(true);
    connection.pragma('synchronous = FULL');
    await whileBusy(() => connection.exec('begin immediate'));
    return new SqliteSide(connection);
  } catch (error) {
    connection.close();
    throw error;
  }
}

class SqliteSide implements CopySide {
  readonly #connection: BetterSqlite3.Database;

  constructor(connection: BetterSqlite3.Database) {
    this.#connection = connection;
  }

  async query(text: string) {
    return this.#connection.prepare<[], Values>(text).raw().all().map(toRow);
  }

  async *read({ name, columns, key }: Table) {
    const values = columns.map(({ name, type }) => (type === 'uuid' ? `lower(hex("${name}"))` : `"${name}"`));
    const text = `select ${values.join()} from "${name}" order by ${list([key])}`;
    let rows: Row[] = [];
    for (const values of this.#connection.prepare<[], Values>(text).raw().iterate()) {
      rows.push(toRow(values));
      if (rows.length < BATCH_SIZE) continue;
      yield rows;
      rows = [];
      // SQLite works synchronously: a signal is heard only between two batches.
      await setImmediate();
    }
    yield rows;
  }

  async insert({ name, columns }: Table, rows: readonly Row[]) {
    // The tables are strict: digits become an integer, of any size, or the insert fails.
    const values = columns.map(({ type }) => (type === 'uuid' ? 'unhex(?)' : '?')).join();
    const insert = this.#connection.prepare<Row>(
      `insert into "${name}" (${list(columns)}) values (${values})`,
    );
    for (const row of rows) insert.run(...row);
  }

  async commit() {
    this.#connection.exec('commit');
  }

  async [Symbol.asyncDispose]() {
    // Rolls back what is open.
    this.#connection.close();
  }
}

const toRow = (values: Values): Row => values.map((value) => (value === null ? null : String(value)));
