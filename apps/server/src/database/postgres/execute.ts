import pg from 'pg';
import { ConnectionError } from '../connection-error.ts';
import type { Result } from '../driver.ts';
import { isFatal, isOtherSession, isReadOnly, isResponse, isTimeout } from './errors.ts';
import type { PrimaryPool } from './pool.ts';

export interface Statement extends pg.QueryConfig {
  /** Whether the statement commits. A warning may then say that the commit is less durable than configured. */
  commits?: boolean;
}

/** A result with the command that PostgreSQL reports. */
export interface CommandResult extends Result {
  readonly command: string;
}

/** A connection that is taken out of the pool. */
export class Lease {
  readonly #pool: PrimaryPool;
  readonly #client: pg.PoolClient;
  readonly #onRelease: () => void;
  #isReusable = true;
  #isReleased = false;

  private constructor(pool: PrimaryPool, client: pg.PoolClient, onRelease: () => void) {
    this.#pool = pool;
    this.#client = client;
    this.#onRelease = onRelease;
    client.on('error', this.#onLost);
  }

  /** Whether the connection has responded to the last statement, and is not released. */
  get isUsable(): boolean {
    return this.#isReusable && !this.#isReleased;
  }

  /**
   * @param onRelease is called once the connection is released or lost, or if none is taken
   * @throws the errors of `PrimaryPool.connect`
   */
  static async take(pool: PrimaryPool, onRelease = () => {}): Promise<Lease> {
    try {
      return new Lease(pool, await pool.connect(), onRelease);
    } catch (error) {
      onRelease();
      throw error;
    }
  }

  /**
   * Runs a statement. Several statements in one text are one message, and one transaction unless one is open already.
   * @returns the result of each statement
   * @throws pg.DatabaseError when the server refuses the statement; ConnectionError: `timeout` when the response takes
   *   too long, `commit` after a possible commit, `statement` for other lost connections
   */
  async run({ name, commits = false, ...statement }: Statement): Promise<CommandResult[]> {
    if (!this.isUsable) throw new ConnectionError('statement');
    const pool = this.#pool;
    const client = this.#client;
    const sentAt = performance.now();
    let isWarned = false;
    // PostgreSQL's function `SyncRepWaitForLSN` warns when a wait for a synchronous standby was cancelled.
    const onNotice = ({ routine }: { routine?: string | undefined }) => {
      isWarned ||= routine === 'SyncRepWaitForLSN';
    };
    if (commits) client.on('notice', onNotice);
    this.#isReusable = false;
    try {
      const query = { ...statement, name: pool.canPrepare ? name : undefined, rowMode: 'array' } as const;
      // Several statements have an array of results, which the types of node-postgres omit.
      const results = [await client.query<unknown[]>(query)].flat();
      this.#isReusable = true;
      // The standby may lack the commit.
      if (isWarned) throw new ConnectionError('commit');
      return results.map(toResult);
    } catch (error) {
      // A pooler changes the session between transactions, and prepared statements belong to a session.
      if (isOtherSession(error)) pool.canPrepare = false;
      if (isResponse(error)) {
        this.#isReusable = !isFatal(error);
        if (isReadOnly(error)) await pool.recheck();
        throw error;
      }
      if (isTimeout(error)) {
        // If no connection had a response meanwhile, the server is away.
        if (pool.respondedAt < sentAt) pool.giveUp(new ConnectionError('connect', error));
        throw new ConnectionError('timeout', error);
      }
      // A DatabaseError that is no response, such as 57P01, means a rollback. A server that stops while a commit waits
      // for a standby sends none.
      const isRolledBack = !commits || error instanceof pg.DatabaseError;
      // The connection had ended before the statement, which was not sent.
      const isUnsent = error instanceof Error && error.message.endsWith('is not queryable');
      throw ConnectionError.from(error, isRolledBack || isUnsent ? 'statement' : 'commit');
    } finally {
      if (this.#isReusable) pool.respondedAt = performance.now();
      client.off('notice', onNotice);
    }
  }

  /** Gives the connection back to the pool, or closes it when its state is unknown. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#client.off('error', this.#onLost);
    this.#client.release(!this.#isReusable);
    this.#onRelease();
  }

  /** Releases a lost connection: PostgreSQL, for example, ends the connection of an idle transaction. */
  readonly #onLost = () => {
    this.#isReusable = false;
    this.release();
  };
}

/**
 * Runs a statement on a connection of a pool: see `Lease.run`.
 * @throws the errors of `Lease.take` and of `Lease.run`
 */
export async function execute(pool: PrimaryPool, statement: Statement): Promise<CommandResult[]> {
  const lease = await Lease.take(pool);
  try {
    return await lease.run(statement);
  } finally {
    lease.release();
  }
}

const toResult = ({ command, fields, rows, rowCount }: pg.QueryArrayResult<unknown[]>): CommandResult => ({
  command,
  columns: fields.map(({ name }) => name),
  rows,
  numAffectedRows: BigInt(rowCount ?? 0),
});
