import type { Addition, Appended, Database } from '../database.ts';
import type { Parameters, Query, QueryRun, Values } from '../query.ts';
import type { Schema } from '../schema.ts';
import { createAppend } from './append.ts';
import { classify, isUnconfirmed, isUndone } from './errors.ts';
import { locksOf } from './locks.ts';
import type { PrimaryPool } from './pool.ts';
import { PostgresReader } from './reader.ts';

/**
 * How long a transaction may wait for its next statement: a server that stalls within one holds up the writes of all
 * others. It is shorter than they wait for the lock, so that they succeed afterwards.
 */
const STALLED_TRANSACTION_MS = 1_000;

/** The share of the time limit of a statement that may be spent waiting for a lock: the response still is in time. */
const LOCK_SHARE = 0.75;

/**
 * Begins a transaction. Transactions run one at a time in the whole database, as in SQLite.
 *
 * The settings hold for the transaction only, because behind a pooler the session is shared with other programs.
 * Durability is raised to what survives a power failure, and never lowered: `remote_apply` stays.
 */
const beginScript = (lock: number, lockTimeoutMs: number) => `
  begin;
  set local idle_in_transaction_session_timeout = ${STALLED_TRANSACTION_MS};
  set local lock_timeout = ${lockTimeoutMs};
  select set_config('synchronous_commit', 'on', true)
    where current_setting('synchronous_commit') not in ('on', 'remote_apply');
  select pg_advisory_xact_lock(${lock})`;

/** A database on PostgreSQL. */
export class PostgresDatabase implements Database {
  readonly classify = classify;
  readonly maxConcurrentAppends = 2;
  readonly pool: PrimaryPool;
  readonly #reader: PostgresReader;
  readonly #begin: string;
  readonly #append: ReturnType<typeof createAppend>;
  readonly #probe: string;

  constructor(pool: PrimaryPool, schema: Schema, statementTimeoutMs: number) {
    this.pool = pool;
    const { applicationId, versionedTable } = schema;
    const { append, transaction } = locksOf(applicationId);
    const lockTimeoutMs = Math.ceil(statementTimeoutMs * LOCK_SHARE);
    this.#begin = beginScript(transaction, lockTimeoutMs);
    this.#append = createAppend(schema, append, lockTimeoutMs);
    this.#probe = `select id from "${versionedTable}" limit 1`;
    this.#reader = new PostgresReader(pool);
  }

  async probe() {
    await this.#reader.withConnection((connection) => connection.execute({ text: this.#probe }));
  }

  read<Named extends Parameters, Row>(query: Query<Named, Row>, values: Values<Named>) {
    return this.#reader.query(query, values);
  }

  query<Named extends Parameters, Row>(query: Query<Named, Row>, values: Values<Named>) {
    return this.#reader.query(query, values);
  }

  async append(additions: readonly Addition[]): Promise<Appended[]> {
    // A lost connection may have committed: only what a key guards is repeated, so the others have their own statement.
    const keyed = additions.filter(({ idempotency }) => idempotency !== undefined);
    const unkeyed = additions.filter(({ idempotency }) => idempotency === undefined);
    const [ofKeyed, ofUnkeyed] = await Promise.all([
      this.#appendBatch(keyed, (error) => isUndone(error) || isUnconfirmed(error)),
      this.#appendBatch(unkeyed, isUndone),
    ]);
    const results = { keyed: ofKeyed.values(), unkeyed: ofUnkeyed.values() };
    return additions.flatMap(
      ({ idempotency }) => results[idempotency === undefined ? 'unkeyed' : 'keyed'].next().value ?? [],
    );
  }

  async #appendBatch(additions: readonly Addition[], isRepeated: (error: unknown) => boolean) {
    if (additions.length === 0) return [];
    const text = this.#append.text(additions);
    return this.#append.parse(
      await this.#reader.withConnection((connection) => connection.executeDurably(text), isRepeated),
    );
  }

  transact<Row>(runs: readonly QueryRun<Row>[]): Promise<Row[][]> {
    return this.#reader.withConnection(async (connection) => {
      try {
        await connection.execute({ text: this.#begin });
        const results: Row[][] = [];
        for (const run of runs) results.push(await this.#reader.run(connection, run));
        await connection.executeDurably('commit');
        return results;
      } catch (error) {
        // The server rolls back by itself what a lost connection has left.
        if (!connection.isBroken) await connection.execute({ text: 'rollback' });
        throw error;
      }
    });
  }

  async [Symbol.asyncDispose]() {
    await this.pool.end();
  }
}
