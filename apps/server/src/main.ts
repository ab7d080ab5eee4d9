import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { createContext } from './context.ts';
import type { Database } from './database/database.ts';
import { explainOutage, openDatabase } from './database/open.ts';
import { limitHeapGrowth } from './heap-growth.ts';
import { Lifecycle } from './http/lifecycle.ts';
import { listen } from './http/listen.ts';
import { createHttpServer } from './http/server.ts';
import { createFirstKey, hasKeys } from './keys/manage.ts';
import { openLog } from './log/open.ts';
import { startHousekeeping } from './pets/housekeeping.ts';
import { StopSignals } from './stop-signals.ts';
import { welcome } from './welcome.ts';
import { READY } from './workers.ts';

/**
 * Runs the service until a signal ends it, then stops it in order: the database
 * after the last request, the log after all.
 *
 * @throws StartupError when it cannot start
 */
export async function serve(config: Config): Promise<void> {
  limitHeapGrowth();
  const signals = new StopSignals();
  const { log, logger, accessLog } = openLog(config);
  await using _log = log;
  process.once('uncaughtException', async (error) => {
    logger.fatal({ err: error }, 'A bug ends the process');
    await log[Symbol.asyncDispose]();
    process.exit(1);
  });
  await using database = await openDatabase(config);
  const lifecycle = new Lifecycle();
  const context = createContext({ config, logger, accessLog, database, lifecycle });
  const server = createHttpServer(createApp(context), context);
  const address = await listen(server, config);
  // Whatever fails from here on is not to leave it listening without its database.
  using _listening = { [Symbol.dispose]: () => server.close().closeAllConnections() };
  const stop = signals.awaitFirst();
  logger.info({ address, pid: process.pid }, `Listening on ${address}`);
  // Only now: a start that found its port taken must not have issued a key that nobody has seen.
  const key = await explainOutage(database, provideKey(database, config, logger));
  if (key !== undefined) log.write(welcome(address, key));
  cluster.worker?.send(READY);

  using _housekeeping = startHousekeeping(context);
  logger.info({ signal: await stop }, 'Stopping');
  await lifecycle.stop(server, config.SHUTDOWN_GRACE_MS);
}

/**
 * Issues a key when nobody could call the service otherwise.
 *
 * @returns the key, if one was issued
 */
async function provideKey(database: Database, config: Config, logger: Logger): Promise<string | undefined> {
  if (config.API_KEYS.length > 0) return undefined;
  if (config.NODE_ENV !== 'production') return createFirstKey(database);
  if (!(await hasKeys(database))) {
    logger.warn('There is no API key yet: petstore keys create --name NAME');
  }
  return undefined;
}
