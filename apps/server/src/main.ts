import { pino } from 'pino';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { createContext } from './context.ts';
import { openDatabase } from './database/open.ts';
import { Lifecycle } from './http/lifecycle.ts';
import { listen } from './http/listen.ts';
import { LoadShedder } from './http/load.ts';
import { createHttpServer } from './http/server.ts';
import { createKey, hasKeys } from './keys/manage.ts';
import { Log } from './log/log.ts';
import { openStdout } from './log/outlet.ts';
import { startHousekeeping } from './pets/housekeeping.ts';
import { welcome } from './welcome.ts';

/**
 * Runs the service until SIGTERM or SIGINT, then stops it in order, the database last. A second signal
 * ends the process at once.
 *
 * @throws StartupError when it cannot start
 */
export async function serve(config: Config): Promise<void> {
  await using log = new Log(openStdout());
  const logger = pino({ level: config.LOG_LEVEL, base: null }, log);
  process.once('uncaughtException', async (error) => {
    logger.fatal({ err: error }, 'A bug ends the process');
    await log[Symbol.asyncDispose]();
    process.exit(1);
  });
  await using database = await openDatabase(config);
  const lifecycle = new Lifecycle();
  const context = createContext({ config, logger, database, lifecycle });
  const server = createHttpServer(createApp(context), {
    lifecycle,
    load: new LoadShedder(config.MAX_QUEUE_DELAY_MS, logger),
    maxConnections: config.MAX_CONNECTIONS,
  });
  const address = await listen(server, config);
  logger.info({ address }, `Listening on ${address}`);

  if (config.API_KEYS.length === 0 && !(await hasKeys(database))) {
    if (config.NODE_ENV === 'production')
      logger.warn('There is no API key yet: petstore keys create --name NAME');
    else log.write(welcome(address, await createKey(database, 'first')));
  }

  using _housekeeping = startHousekeeping(context);
  const signal = await nextSignal();
  logger.info({ signal }, 'Stopping');
  void nextSignal().then(() => process.exit(1));
  await lifecycle.stop(server, config.SHUTDOWN_GRACE_MS);
}

function nextSignal(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
  return promise;
}
