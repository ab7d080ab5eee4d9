import BetterSqlite3 from 'better-sqlite3';
import type { ServerUnderTest } from './server-under-test.ts';

/** Where a service has its files, and how many pets it begins with. */
export interface ServicePlace {
  /** The folder of the database. */
  disk: string;
  pets: number;
  /** A path in a folder that is never full, for backups. */
  file(name: string): string;
  /** The path of the server's log, without `.log`. */
  log: string;
}

/** The service on one of the engines, with what can happen to it. */
export interface SoakService extends AsyncDisposable {
  server: ServerUnderTest;
  /** Where commands reach the database at present. */
  databaseUrl(): string;
  /** The first API key, of the name `benchmarks`. */
  apiKey: string;
  /**
   * Makes a backup while the server runs.
   *
   * @returns its SQLite file
   */
  backUp(): Promise<string>;
  /** Puts it in the place of the database, for a server that does not run. */
  restore(backup: string): Promise<void>;
  /** Loses the machine that has the database, and lets another one take over. */
  failOver(): Promise<void>;
  /** Brings back what has ended because the disk was full. */
  recover(): Promise<void>;
  /** In bytes. */
  measureDisk(): Promise<{ database: number; writeAheadLog: number }>;
  /** What the write-ahead log may take, in bytes. */
  writeAheadLogLimit: number;
}

/** The highest id in a backup. Ids ascend in the order of the commits: it has all pets up to that one. */
export function newestIdOf(backup: string): number {
  const connection = new BetterSqlite3(backup, { readonly: true });
  const newest: unknown = connection.prepare('select max(id) from pets').pluck().get();
  connection.close();
  return Number(newest);
}
