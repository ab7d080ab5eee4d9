import { setImmediate as turn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Database, DatabaseEpoch, DatabaseVersion } from './database.ts';
import { prepare } from './prepared.ts';
import type { Tables } from './schema.ts';

const readSnapshot = prepare<Record<never, never>, { snapshot: string }>((db) =>
  db.selectNoFrom(sql<string>`pg_current_snapshot()::text`.as('snapshot')),
);

/**
 * Tells when something may have been committed: by PostgreSQL's snapshot, which lists the transactions
 * that are seen, so that two equal ones of one epoch see the same. Those who ask at about the same time
 * share one question, which is sent after the last of them asked.
 */
export class PostgresVersions {
  readonly #db: Kysely<Tables>;
  readonly #server: Pick<Database, 'epoch'>;
  #next: Promise<DatabaseVersion> | undefined;
  #asking: Promise<unknown> = Promise.resolve();
  #known: { snapshot?: string | undefined; epoch?: DatabaseEpoch } = {};
  #present: DatabaseVersion = {};

  constructor(db: Kysely<Tables>, server: Pick<Database, 'epoch'>) {
    this.#db = db;
    this.#server = server;
  }

  present(): Promise<DatabaseVersion> {
    this.#next ??= this.#ask();
    return this.#next;
  }

  async #ask(): Promise<DatabaseVersion> {
    await Promise.allSettled([this.#asking, turn()]);
    this.#next = undefined;
    const { epoch } = this.#server;
    const asking = readSnapshot(this.#db, {});
    this.#asking = asking;
    const [{ snapshot } = {}] = await asking;
    const isKnown = snapshot === this.#known.snapshot && epoch === this.#known.epoch;
    if (!isKnown || epoch !== this.#server.epoch) {
      this.#known = { snapshot, epoch };
      this.#present = {};
    }
    return this.#present;
  }
}
