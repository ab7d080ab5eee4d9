import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { v1 } from '@petstore/contract';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Database, SchemaAccess } from './database/database.ts';
import { DatabaseFault } from './database/database-fault.ts';
import { limits } from './http/limits.ts';
import { listen, listenOnPassedSocket } from './http/listen.ts';
import { createRedactor } from './keys/api-key.ts';
import { createFirstKey, hasKeys } from './keys/manage.ts';
import { createDatabase, explainFault, explainOutage } from './open-database.ts';
import { Service } from './service.ts';
import type { ServiceMetrics } from './service-metrics.ts';
import { StopSignals } from './stop-signals.ts';
import { type Log, openLog } from './telemetry/log.ts';
import { startUpkeep } from './upkeep.ts';
import { version } from './version.ts';

/** How long after a failed attempt to open the database the next one begins. */
const OPEN_INTERVAL_MS = 500;

/**
 * Runs the service until a signal ends it, then stops it in order: the database after the last request, the log last.
 * @throws OperatorError when it cannot start
 */
export async function serve(config: Config): Promise<void> {
  const signals = new StopSignals();
  await using log = openLog({
    level: config.LOG_LEVEL,
    format: config.LOG_FORMAT,
    redact: createRedactor(config.API_KEYS),
  });
  const { logger } = log;
  process.once('uncaughtException', async (error) => {
    logger.fatal({ err: error }, 'A bug ends the process');
    await log[Symbol.asyncDispose]();
    process.exit(1);
  });
  await using database = await createDatabase(config);
  // Without a change: the port may be taken. At a socket of systemd, connections wait until the schema is up to date.
  let obstacle: DatabaseFault | NodeJS.Signals | undefined = await tryOpen(
    database,
    config.LISTEN_FDS > 0 ? 'migrate' : 'expect',
  );
  const metrics = await createMetrics(config);
  const service = new Service({ config, logger, database, observer: metrics });
  const { server } = service;
  const baseUrl = await listenAsConfigured(server, config);
  // A start that fails from here on must not leave a server that listens without its database.
  using _listening = { [Symbol.dispose]: () => server.close().closeAllConnections() };
  await using admin = metrics && (await openAdmin(service, metrics, log));
  const stop = signals.awaitFirst();
  const open = () => Promise.race([tryOpen(database, 'migrate'), stop]);
  if (obstacle !== undefined) obstacle = await open();
  const docs = config.DOCS === 'on' ? new URL('/docs', baseUrl).href : undefined;
  const about = { address: baseUrl, docs, admin: admin?.origin, version, pid: process.pid };
  logger.info(about, `Listening on ${baseUrl}${docs === undefined ? '' : `, documented at ${docs}`}`);
  for (let told = ''; obstacle instanceof DatabaseFault; obstacle = await open()) {
    if (obstacle.message !== told) logger.warn({ err: obstacle }, 'Waiting for the database');
    told = obstacle.message;
    await Promise.race([stop, sleep(OPEN_INTERVAL_MS, undefined, { ref: false })]);
  }
  // Only now: a start that finds its port taken must not issue a key, which would never be shown.
  if (obstacle === undefined) {
    const key = await explainOutage(database, provideKey(database, config, logger));
    if (key !== undefined) log.write(welcome(baseUrl, key));
  }

  using _upkeep = startUpkeep(database, logger);
  logger.info({ signal: await stop }, 'Stopping');
  await service.connections.stop(server, config.SHUTDOWN_GRACE_MS);
  killUnlessEnded(log);
}

/**
 * Opens the database.
 * @returns why it cannot be used yet; `undefined` once it is open
 * @throws OperatorError when another attempt would fail, too
 */
async function tryOpen(database: Database, access: SchemaAccess): Promise<DatabaseFault | undefined> {
  try {
    await database.open(access);
    return undefined;
  } catch (error) {
    if (error instanceof DatabaseFault && error.isTransient) return error;
    throw explainFault(error);
  }
}

/**
 * Kills the process when it does not end in time. A disk that does not respond holds a thread of Node's pool, which
 * keeps the process alive; `process.exit` would wait for that thread too.
 */
function killUnlessEnded(log: Log): void {
  const timer = setTimeout(async () => {
    log.logger.fatal('The process cannot end and is killed: check the disk');
    await log[Symbol.asyncDispose]();
    process.kill(process.pid, 'SIGKILL');
  }, limits.endMs);
  timer.unref();
}

/** Metrics are loaded and counted only where the admin listener shows them. */
async function createMetrics({ ADMIN_PORT }: Config): Promise<ServiceMetrics | undefined> {
  if (ADMIN_PORT === undefined) return undefined;
  const { ServiceMetrics } = await import('./service-metrics.ts');
  return new ServiceMetrics();
}

/**
 * Listens where the configuration says: on the socket that systemd holds, or on HOST and PORT.
 * @returns the base URL, with the version prefix, as seen from this machine
 * @throws OperatorError naming HOST, PORT or LISTEN_FDS
 */
export async function listenAsConfigured(server: Server, config: Config): Promise<string> {
  const { HOST: host, PORT: port, LISTEN_FDS, MAX_CONNECTIONS: backlog } = config;
  const listening =
    LISTEN_FDS > 0
      ? listenOnPassedSocket(server, { backlog }, 'LISTEN_FDS')
      : listen(server, { host, port, backlog });
  return (await listening) + v1.prefix;
}

/** Opens the admin listener, which is loaded only where it is used. */
async function openAdmin(service: Service, metrics: ServiceMetrics, log: Log) {
  const { ADMIN_HOST: host, ADMIN_PORT: port = 0 } = service.config;
  const { openAdminListener } = await import('./http/admin-listener.ts');
  metrics.watch(service, log);
  return openAdminListener(
    { host, port },
    {
      readMetrics: async () => ({
        contentType: metrics.registry.contentType,
        text: await metrics.registry.metrics(),
      }),
      isReady: () => service.readiness.isReady(),
    },
  );
}

/**
 * Issues a key when no caller could use the service otherwise.
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

/**
 * Tells the operator of a first start the key, which is never shown again, and commands to try it.
 * @param baseUrl with the version prefix
 */
function welcome(baseUrl: string, apiKey: string): string {
  const curl = `curl -i -H 'Authorization: Bearer ${apiKey}'`;
  const pet = `{"name":"Ñandú","categoryId":7,"status":"available"}`;
  return `
A first API key was issued. It is stored nowhere else and is not shown again:

  ${apiKey}

Try it in another terminal:

  ${curl} ${baseUrl}/pets
  ${curl} -H 'Content-Type: application/json' -d '${pet}' ${baseUrl}/pets
  ${curl} ${baseUrl}/pets/1

`;
}
