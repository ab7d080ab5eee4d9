import pg from 'pg';
import { ConnectionError } from '../connection-error.ts';
import type { Result } from '../query.ts';
import { isOtherSession, isReadOnly, isResponse } from './errors.ts';
import type { PrimaryPool } from './pool.ts';

interface Statement extends pg.QueryConfig {
  /** Whether the statement writes: a warning then says that its commit may be less durable than it is set to be. */
  commits?: boolean;
}

/**
 * Runs a statement on a connection of a pool. Several in one text are one message and one transaction.
 *
 * @returns the result of each statement
 * @throws pg.DatabaseError when the server refuses it; ConnectionError: `timeout` when no response came in time, `commit`
 *   when it may have been committed, `statement` when the connection was lost otherwise, and what `PrimaryPool` throws
 */
export async function execute(
  pool: PrimaryPool,
  { name, commits = false, ...statement }: Statement,
): Promise<Result[]> {
  const client = await pool.connect();
  const sentAt = performance.now();
  let isWarned = false;
  let isReusable = false;
  // An operator has cancelled the wait for a synchronous standby: the standby may lack what was written.
  const onNotice = ({ code }: { code?: string | undefined }) => {
    isWarned ||= code?.startsWith('01') === true;
  };
  if (commits) client.on('notice', onNotice);
  try {
    const query = { ...statement, name: pool.canPrepare ? name : undefined, rowMode: 'array' } as const;
    // Several statements give several results, which the types of node-postgres do not say.
    const results = [await client.query<unknown[]>(query)].flat();
    isReusable = true;
    if (isWarned) throw new ConnectionError('commit');
    return results.map(({ fields, rows }) => ({ columns: fields.map(({ name }) => name), rows }));
  } catch (error) {
    isReusable ||= isResponse(error);
    // A pooler gives each transaction another session, and does not take prepared statements along.
    if (isOtherSession(error)) pool.canPrepare = false;
    if (isReusable) throw error;
    if (isReadOnly(error)) pool.giveUp(new ConnectionError('standby', error));
    // The `query_timeout` of node-postgres has no class of its own.
    if (error instanceof Error && error.message === 'Query read timeout') {
      if (pool.respondedAt < sentAt) pool.giveUp(new ConnectionError('connect', error));
      throw new ConnectionError('timeout', error);
    }
    // An error that ended the connection has rolled the statement back, unless a warning has told of a commit.
    const isUndone = !commits || (error instanceof pg.DatabaseError && !isWarned);
    throw new ConnectionError(isUndone ? 'statement' : 'commit', error);
  } finally {
    if (isReusable) pool.respondedAt = performance.now();
    client.off('notice', onNotice);
    client.release(!isReusable);
  }
}
