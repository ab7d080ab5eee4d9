import type { Addition, Appended, Database, Session } from '../database.ts';
import type { Int64 } from '../int64.ts';
import { assertBounds, type Parameters, type Query, type Values } from '../query.ts';
import type { Schema } from '../schema.ts';
import type { PostgresPool } from './connections/pool.ts';
import { classify, isUnconfirmed, isUndone } from './errors.ts';
import { PostgresReader, toRows } from './reads/reader.ts';
import { type PostgresVersion, PrimaryVersions } from './reads/version.ts';
import { createAppend } from './writes/append.ts';
import { locksOf } from './writes/locks.ts';

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

/** Hears of what an operator may want to know. */
export type Report = (details: object, message: string) => void;

/** How often it is reported at most that another program has added rows. */
const REPORT_INTERVAL_MS = 60_000;

/** What a database on PostgreSQL is made from. */
interface PostgresParts {
  pool: PostgresPool;
  schema: Schema;
  report: Report;
}

export class PostgresDatabase implements Database {
  readonly classify = classify;
  readonly maxConcurrentAppends = 2;
  readonly pool: PostgresPool;
  readonly #primary: PostgresReader<PostgresVersion>;
  readonly #versions: PrimaryVersions;
  readonly #report: Report;
  readonly #begin: string;
  readonly #append: ReturnType<typeof createAppend>;
  readonly #probe: string;
  #quietUntil = 0;

  constructor({ pool, schema, report }: PostgresParts) {
    this.pool = pool;
    this.#report = report;
    const { applicationId, versionedTable } = schema;
    const { append, transaction } = locksOf(applicationId);
    const lockTimeoutMs = Math.ceil(pool.statementTimeoutMs * LOCK_SHARE);
    this.#begin = beginScript(transaction, lockTimeoutMs);
    this.#append = createAppend(schema, append, lockTimeoutMs);
    this.#probe = `select id from "${versionedTable}" limit 1`;
    this.#versions = new PrimaryVersions(versionedTable);
    this.#primary = new PostgresReader(pool, this.#versions);
  }

  version() {
    return this.#primary.version();
  }

  async probe() {
    await this.version();
    await this.#primary.withConnection((connection) => connection.execute({ text: this.#probe }));
  }

  async read<Named extends Parameters, Row>(query: Query<Named, Row>, values: Values<Named>) {
    return (await this.#primary.read(query, values)).value;
  }

  query<Named extends Parameters, Row>(query: Query<Named, Row>, values: Values<Named>) {
    return this.#primary.query(query, values);
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
    const { appended, skippedFrom } = await this.#primary.withConnection(async (connection) => {
      const result = this.#append.parse(await connection.executeDurably(text));
      this.#versions.checkIdentity(result.identity);
      return result;
    }, isRepeated);
    if (skippedFrom !== undefined) this.#reportSkipped(skippedFrom, appended);
    return appended;
  }

  #reportSkipped(skippedFrom: Int64, [first]: readonly Appended[]): void {
    if (performance.now() < this.#quietUntil) return;
    this.#quietUntil = performance.now() + REPORT_INTERVAL_MS;
    const details = { skippedFrom: String(skippedFrom), nextId: String(first?.id) };
    this.#report(details, 'Another program has added rows: ids go on after the highest');
  }

  transact<Result>(work: (transaction: Session) => Promise<Result>): Promise<Result> {
    return this.#primary.withConnection(async (connection) => {
      try {
        const begun = connection.execute({ text: this.#begin });
        const working = work({
          query: async (query, values) => {
            const result = await connection.execute(this.#primary.prepare(query).one(values));
            assertBounds(query, result.rows.length);
            return toRows(result);
          },
        });
        // The first statement is sent together with the begin: others wait for this transaction. Where the begin
        // fails, PostgreSQL refuses what follows, and the first error is that of the begin.
        const [, result] = await Promise.all([begun, working]);
        await connection.commit();
        return result;
      } catch (error) {
        await connection.rollback();
        throw error;
      }
    });
  }

  async [Symbol.asyncDispose]() {
    await this.pool.end();
  }
}
