import { type PostgresServer, startPostgres } from '@petstore/test-support/databases/postgres-server';
import { onAllCores } from '../cores.ts';
import { parentOf, processorSecondsOfFamily } from '../process-usage.ts';

/** Starts a PostgreSQL server that commits durably and may use every core. */
export const startDurablePostgres = (): Promise<PostgresServer> =>
  onAllCores(() => startPostgres({ fsync: true }));

/** @returns what gives the processor time that all processes of a PostgreSQL server have used, in seconds */
export async function observeProcessorSeconds(server: PostgresServer): Promise<() => number> {
  const [row] = await server.query("select pid from pg_stat_activity where backend_type = 'checkpointer'");
  const pid = parentOf(Number(row?.pid));
  return () => processorSecondsOfFamily(pid);
}
