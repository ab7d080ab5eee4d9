import { setImmediate as turn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Database, DatabaseVersion } from '../database.ts';
import { prepare } from '../prepared.ts';
import type { Tables } from '../schema.ts';

const readSnapshot = prepare<Record<never, never>, { snapshot: string }>((db) =>
  db.selectNoFrom(sql<string>`pg_current_snapshot()::text`.as('snapshot')),
);

/**
 * Tells when something may have been committed: by PostgreSQL's snapshot, which lists the transactions
 * that are seen, so that two equal ones of one epoch see the same. Callers that ask at about the same time
 * share one query, which is sent after the last of them asked.
 */
export class PostgresVersions {
  readonly #db: Kysely<Tables>;
  readonly #server: Pick<Database, 'epoch'>;
  #next: Promise<DatabaseVersion> | undefined;
  #running: Promise<unknown> = Promise.resolve();
  #snapshot = '';
  #current: DatabaseVersion = { epoch: 0, content: 0 };

  constructor(db: Kysely<Tables>, server: Pick<Database, 'epoch'>) {
    this.#db = db;
    this.#server = server;
  }

  current(): Promise<DatabaseVersion> {
    this.#next ??= this.#read();
    return this.#next;
  }

  async #read(): Promise<DatabaseVersion> {
    await Promise.allSettled([this.#running, turn()]);
    this.#next = undefined;
    const { epoch } = this.#server;
    const running = readSnapshot(this.#db, {});
    this.#running = running;
    const [{ snapshot } = { snapshot: '' }] = await running;
    const isKnown = snapshot === this.#snapshot && epoch === this.#current.epoch;
    // A connection that ended during the query leaves it open which server the snapshot is of.
    if (!isKnown || epoch !== this.#server.epoch) {
      this.#snapshot = snapshot;
      this.#current = { epoch, content: (this.#current.content ?? 0) + 1 };
    }
    return this.#current;
  }
}
