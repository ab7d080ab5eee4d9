import { setImmediate as turn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { DatabaseVersion } from './database.ts';
import type { Tables } from './schema.ts';

/**
 * Tells when something may have been committed: by PostgreSQL's snapshot, which lists the transactions
 * that are seen, so that two equal ones see the same. Those who ask at about the same time share one
 * question, which is sent after the last of them asked.
 */
export class PostgresVersions {
  readonly #db: Kysely<Tables>;
  #next: Promise<DatabaseVersion> | undefined;
  #asking: Promise<unknown> = Promise.resolve();
  #known: string | undefined;
  #present: DatabaseVersion = {};

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  present(): Promise<DatabaseVersion> {
    this.#next ??= this.#ask();
    return this.#next;
  }

  async #ask(): Promise<DatabaseVersion> {
    await Promise.allSettled([this.#asking, turn()]);
    this.#next = undefined;
    const asking = this.#readSnapshot();
    this.#asking = asking;
    const snapshot = await asking;
    if (snapshot !== this.#known) {
      this.#known = snapshot;
      this.#present = {};
    }
    return this.#present;
  }

  async #readSnapshot(): Promise<string | undefined> {
    const { rows } = await sql<{ snapshot: string }>`select pg_current_snapshot()::text as snapshot`.execute(
      this.#db,
    );
    return rows[0]?.snapshot;
  }
}
