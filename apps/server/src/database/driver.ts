import { normalizeInteger } from '@petstore/contract';
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely';

/** The result of a statement as an engine returns it: Kysely's result, except that rows are arrays. */
export interface Result extends Omit<QueryResult<unknown>, 'rows'> {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

export const NO_RESULT: Result = { columns: [], rows: [] };

/** Makes objects of the rows. Kysely has inferred `Row` from the tables and the statement. Integers stay exact. */
export function toRows<Row>(result: Result): Row[];
export function toRows({ columns, rows }: Result) {
  const objects: Record<string, unknown>[] = [];
  for (const values of rows) {
    const object: Record<string, unknown> = {};
    for (const [index, column] of columns.entries()) {
      const value = values[index];
      object[column] = typeof value === 'bigint' ? normalizeInteger(value) : value;
    }
    objects.push(object);
  }
  return objects;
}

/** A database engine, as Kysely's driver uses it. */
export interface Engine {
  /** Runs a query. A query that may write runs in a transaction of its own. */
  run(query: CompiledQuery): Promise<Result>;
  begin(): Promise<EngineTransaction>;
}

/** A transaction that has begun. It fails after a lost connection, or when its caller was idle for too long. */
export interface EngineTransaction {
  /** @throws also after the end of the transaction */
  run(query: CompiledQuery): Promise<Result>;
  /** @throws when the transaction was not committed, or may not have been */
  commit(): Promise<void>;
  /** Does nothing after the end. Never fails, because Kysely would hide the error that led to the rollback. */
  rollback(): Promise<void>;
}

/**
 * Gives each caller of Kysely a session, which keeps a connection of the engine only during a transaction. Savepoints
 * and `Result.insertId` are supported because Kysely documents them.
 */
export class EngineDriver implements Driver {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async init() {}

  async acquireConnection() {
    return new Session(this.#engine);
  }

  /** Ignores Kysely's isolation level, which would change nothing: transactions run one at a time. */
  async beginTransaction(session: Session) {
    session.transaction = await this.#engine.begin();
  }

  async commitTransaction(session: Session) {
    await session.transaction?.commit();
  }

  async rollbackTransaction(session: Session) {
    await session.transaction?.rollback();
  }

  async savepoint(session: Session, name: string) {
    await session.executeQuery(CompiledQuery.raw(`savepoint ${quote(name)}`));
  }

  async rollbackToSavepoint(session: Session, name: string) {
    await session.executeQuery(CompiledQuery.raw(`rollback to ${quote(name)}`));
  }

  async releaseSavepoint(session: Session, name: string) {
    await session.executeQuery(CompiledQuery.raw(`release ${quote(name)}`));
  }

  async releaseConnection() {}

  /** `Database` closes its connections itself. */
  async destroy() {}
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

class Session implements DatabaseConnection {
  /** Kept after its end. Kysely notices the end later: until then a statement must fail, not run without the transaction. */
  transaction: EngineTransaction | undefined;
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const result = await (this.transaction ?? this.#engine).run(query);
    return { ...result, rows: toRows<Row>(result) };
  }

  streamQuery(): never {
    throw new Error('Queries cannot be streamed: read pages instead');
  }
}
