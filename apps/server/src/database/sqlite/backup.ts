import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import BetterSqlite3 from 'better-sqlite3';
import { DatabaseFault } from '../database-fault.ts';
import type { Schema } from '../schema.ts';
import { whileBusy } from './busy.ts';
import { faultOfFile, faultOfHeader } from './files/file.ts';
import { createDatabaseFile } from './files/new-file.ts';

/** Pages that are copied in one turn of the event loop: 4 MB. */
const PAGES_PER_TURN = 1_000;

/** Is called while a backup or a restore runs. */
export interface Progress {
  /** A step begins. */
  begin(step: string): void;
  /** A share of the step is done, from 0 to 1. An error that it throws ends the work. */
  update(share: number): void;
}

/** The number of rows of each table. */
export type RowCounts = Readonly<Record<string, number>>;

/**
 * Copies a database, of which servers may be writing, as it is at one moment.
 *
 * @returns what the copy has
 * @throws DatabaseFault when there is no database, or a file of the other name
 */
export async function backUp(
  file: string,
  to: string,
  { applicationId }: Schema,
  progress: Progress,
): Promise<RowCounts> {
  if (!existsSync(file)) throw new DatabaseFault(`there is no database at ${file}`);
  if (existsSync(to)) throw new DatabaseFault(`${to} exists, and is not overwritten`);
  const fault = faultOfHeader(file, applicationId);
  if (fault) throw new DatabaseFault(`${file} ${fault}`);
  progress.begin('Copying');
  return copyDatabase(file, to, progress, (copy) => {
    progress.begin('Verifying the copy');
    const fault = faultOfFile(copy, applicationId);
    if (fault) throw new DatabaseFault(`the copy ${fault}: ${to} was not written`);
  });
}

/**
 * Copies a database as it is at one moment into a new file.
 *
 * @param verify checks the copy before it gets its name
 * @throws DatabaseFault when the copy lacks rows
 */
export async function copyDatabase(
  file: string,
  to: string,
  progress: Progress,
  verify: (copy: string) => void = () => {},
): Promise<RowCounts> {
  const source = new BetterSqlite3(file, { readonly: true, timeout: 0 });
  try {
    // Without a transaction the copy would begin again at every commit of a server, and never end under load.
    source.exec('begin');
    const counts = await whileBusy(() => countRows(source));
    await createDatabaseFile(to, async (copy) => {
      await source.backup(copy, {
        progress({ totalPages, remainingPages }) {
          progress.update(1 - remainingPages / totalPages);
          return PAGES_PER_TURN;
        },
      });
      if (!isDeepStrictEqual(countRowsOfCopy(copy), counts)) throw new DatabaseFault(`${copy} lacks rows`);
      verify(copy);
    });
    return counts;
  } finally {
    source.close();
  }
}

function countRowsOfCopy(file: string): RowCounts {
  const copy = new BetterSqlite3(file);
  try {
    // Without a write-ahead log the copy is one file, which can be read where nothing can be written.
    copy.pragma('journal_mode = delete');
    return countRows(copy);
  } finally {
    copy.close();
  }
}

/** The number of rows of each table that a connection sees. */
export function countRows(connection: BetterSqlite3.Database): RowCounts {
  const tables = connection.prepare<[], string>(
    `select name from sqlite_schema where type = 'table' and name not like 'sqlite^_%' escape '^' order by name`,
  );
  return Object.fromEntries(
    tables
      .pluck()
      .all()
      .map((table) => [table, Number(connection.prepare(`select count(*) from "${table}"`).pluck().get())]),
  );
}
