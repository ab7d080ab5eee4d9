import pg from 'pg';
import { ConnectionError } from '../connection-error.ts';
import type { Result } from '../query.ts';
import { isOtherSession, isReadOnly, isResponse } from './errors.ts';
import type { PrimaryPool } from './pool.ts';

export interface Statement extends pg.QueryConfig {
  /** Whether the statement writes. A warning then means that its commit may be less durable than configured. */
  commits?: boolean;
}

/**
 * Runs a statement on a connection of a pool. Several statements in one text are one message and one transaction.
 * @returns the result of each statement
 * @throws the errors of `PrimaryPool.connect`; pg.DatabaseError when the server refuses the statement; ConnectionError:
 *   `timeout` when the response takes too long, `commit` after a possible commit, `statement` for other lost
 *   connections
 */
export async function execute(
  pool: PrimaryPool,
  { name, commits = false, ...statement }: Statement,
): Promise<Result[]> {
  const client = await pool.connect();
  const sentAt = performance.now();
  let isWarned = false;
  let isReusable = false;
  // A warning says that the wait for a synchronous standby was cancelled: the standby may lack the commit.
  const onNotice = ({ code }: { code?: string | undefined }) => {
    isWarned ||= code?.startsWith('01') === true;
  };
  if (commits) client.on('notice', onNotice);
  try {
    const query = { ...statement, name: pool.canPrepare ? name : undefined, rowMode: 'array' } as const;
    // Several statements have an array of results, which the types of node-postgres omit.
    const results = [await client.query<unknown[]>(query)].flat();
    isReusable = true;
    if (isWarned) throw new ConnectionError('commit');
    return results.map(({ fields, rows }) => ({ columns: fields.map(({ name }) => name), rows }));
  } catch (error) {
    isReusable ||= isResponse(error);
    // A pooler changes the session between transactions, and prepared statements belong to a session.
    if (isOtherSession(error)) pool.canPrepare = false;
    if (isReusable) throw error;
    if (isReadOnly(error)) pool.giveUp(new ConnectionError('standby', error));
    // The error of `query_timeout` has no class of its own.
    if (error instanceof Error && error.message === 'Query read timeout') {
      // If no connection had a response meanwhile, the server is away.
      if (pool.respondedAt < sentAt) pool.giveUp(new ConnectionError('connect', error));
      throw new ConnectionError('timeout', error);
    }
    // An error that ends the connection rolls the statement back, unless a warning came after the commit.
    const isRolledBack = !commits || (error instanceof pg.DatabaseError && !isWarned);
    throw new ConnectionError(isRolledBack ? 'statement' : 'commit', error);
  } finally {
    if (isReusable) pool.respondedAt = performance.now();
    client.off('notice', onNotice);
    client.release(!isReusable);
  }
}
