import pg from 'pg';
import { ConnectionError } from '../connection-error.ts';

/** The server is shutting down, was ended or is starting: admin_shutdown, crash_shutdown, cannot_connect_now. */
const NOT_SERVING = /^57P0[123]$/;

/** The timeline of a primary, in hexadecimal with leading zeros, so in the order of the numbers. */
const TIMELINE = `select pg_is_in_recovery() as "isStandby",
  case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`;

interface Role {
  isStandby: boolean;
  timeline?: string | null;
}

/**
 * Checks that a new connection leads to a primary.
 *
 * @returns its timeline, which is a higher one after each failover; `undefined` where the server does not tell (Aurora)
 * @throws ConnectionError `standby`
 */
export async function checkPrimary(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<Role>(TIMELINE).catch((error: unknown) => {
    if (!(error instanceof pg.DatabaseError)) throw error;
    return client.query<Role>('select pg_is_in_recovery() as "isStandby"');
  });
  const [role] = rows;
  if (role?.isStandby !== false) throw new ConnectionError('standby');
  return role.timeline ?? undefined;
}

/**
 * Finds the first host that leads to the primary.
 *
 * @param check fails for a connection that must not be used
 * @param track is given each client before it connects
 * @throws ConnectionError `behind` when a host is, else what the last host failed with
 */
export async function findPrimary<Host extends pg.ClientConfig>(
  hosts: readonly Host[],
  check: (client: pg.Client) => Promise<unknown>,
  track?: (client: pg.Client) => void,
): Promise<Host> {
  let failure: unknown;
  for (const host of hosts) {
    const client = new pg.Client(host);
    client.on('error', () => {});
    track?.(client);
    try {
      await client.connect();
      await check(client);
      return host;
    } catch (error) {
      // The server responds, if only to refuse: what it says is for callers, as from the pool.
      if (isServing(error)) return host;
      // An older history is what an operator has to know, whatever the other hosts say.
      if (!(failure instanceof ConnectionError && failure.phase === 'behind')) failure = error;
    } finally {
      void client.end().catch(() => {});
    }
  }
  throw failure;
}

/** Whether an error is the response of a server that serves. */
export const isServing = (error: unknown) =>
  error instanceof pg.DatabaseError && !NOT_SERVING.test(error.code ?? '');
