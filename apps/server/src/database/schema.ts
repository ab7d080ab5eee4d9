import type { Migration } from 'kysely/migration';
import type { Addition, Appended } from './database.ts';
import type { EngineSyntax } from './migrations/engine-syntax.ts';
import type { QueryRun } from './query.ts';

export interface Schema {
  /** The name of the service, as PostgreSQL lists its connections. */
  readonly name: string;
  /**
   * Identifies the service: the `application_id` of SQLite files, and, with the numbers after it, the locks of
   * PostgreSQL.
   */
  readonly applicationId: number;
  /** The history of the tables, in order. A migration that has landed is never changed. */
  readonly migrations: (syntax: EngineSyntax) => Readonly<Record<string, Migration>>;
  /** PostgreSQL: the privileges that the service needs, by the names of tables and sequences. */
  readonly privileges: Readonly<Record<string, readonly string[]>>;
  readonly append: AppendProgram;
}

export interface AppendProgram {
  /** Makes the query that appends rows, and returns one row for each. */
  readonly postgres: (additions: readonly Addition[]) => QueryRun<Appended>;
  /** The program of the thread that writes to SQLite: it calls `runWriter`. */
  readonly sqliteThread: URL;
}
