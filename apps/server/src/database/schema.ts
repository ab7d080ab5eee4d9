import type { Migration } from 'kysely/migration';
import type { Addition, Appended } from './database.ts';
import type { EngineSyntax } from './migrations/engine-syntax.ts';
import type { QueryRun } from './query.ts';

export interface Schema {
  /** The name of the service, as PostgreSQL lists its connections. */
  readonly name: string;
  /** The `application_id` of SQLite files. On PostgreSQL, this number and the next two are advisory locks. */
  readonly applicationId: number;
  /** Migrations by name, in order. */
  readonly migrations: (syntax: EngineSyntax) => Readonly<Record<string, Migration>>;
  /** PostgreSQL: the privileges that the service needs, by table or sequence. */
  readonly privileges: Readonly<Record<string, readonly string[]>>;
  readonly append: AppendProgram;
}

export interface AppendProgram {
  /** Makes a query that returns one row for each addition, in order. */
  readonly postgres: (additions: readonly Addition[]) => QueryRun<Appended>;
  /** The program of the thread that writes to SQLite: it calls `runWriter`. */
  readonly sqliteThread: URL;
}
