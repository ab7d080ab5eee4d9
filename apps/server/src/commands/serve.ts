import { setTimeout as sleep } from 'node:timers/promises';
import { v1 } from '@petstore/contract';
import type { Command } from 'commander';
import type { Logger } from 'pino';
import { type Database, isCausedByWork, type SchemaAccess } from '../database/database.ts';
import { DatabaseFault } from '../database/database-fault.ts';
import { reasonOf } from '../database/reason.ts';
import { limits } from '../http/limits.ts';
import { createFirstKey } from '../keys/manage.ts';
import { createRedactor } from '../keys/redact-keys.ts';
import { hasKeys } from '../keys/repository.ts';
import { type Config, readConfig } from '../process/config.ts';
import { listenAsConfigured } from '../process/listen.ts';
import { exitOnStopSignals, killProcess } from '../process/stop-signals.ts';
import { version } from '../process/version.ts';
import { createDatabase, withOperatorErrors } from '../service/create-database.ts';
import type { ServiceMetrics } from '../service/metrics.ts';
import type { Service } from '../service/service.ts';
import { startUpkeep } from '../service/upkeep.ts';
import { type Log, openLog } from '../telemetry/log.ts';

const OPEN_INTERVAL_MS = 500;

export function addServe(program: Command): void {
  program
    .command('serve')
    .description('run the service until SIGTERM or SIGINT')
    .addHelpText(
      'after',
      '\nEnvironment variables are its settings, such as PORT and DATABASE_URL: docs/configure.md',
    )
    .action(() => serve(readConfig()));
}

/**
 * Runs the service until a signal ends it, then stops it in order: the database after the last request, the log last.
 * @throws OperatorError or DatabaseFault when the service cannot start
 */
async function serve(config: Config): Promise<void> {
  const catchSignals = exitOnStopSignals();
  const { LOG_LEVEL: level, LOG_FORMAT: format } = config;
  const openConfiguredLog = () => openLog({ level, format, redact: createRedactor(config.API_KEYS) });
  await using log = await openConfiguredLog();
  const { logger } = log;
  // `on`, not `once`: a second error must not end the process before the line is written.
  process.on('uncaughtException', async (error) => {
    logger.fatal({ err: error }, 'A bug ends the process');
    await log[Symbol.asyncDispose]();
    process.exit(1);
  });
  await using database = await createDatabase(config);
  // The port may be taken, so the first attempt changes no schema: an old schema is a transient fault, until the second
  // attempt migrates it. A socket of systemd is never taken.
  const access = config.LISTEN_FDS > 0 ? 'migrate' : 'expect';
  /** Why the database is not open: a transient error, or the signal to stop, which ends each wait below. */
  let obstacle: Error | NodeJS.Signals | undefined = await tryOpen(database, access);
  // Metrics are loaded and counted only where the admin listener shows them.
  const loaded = config.ADMIN_PORT === undefined ? undefined : await import('../service/metrics.ts');
  const metrics = loaded && new loaded.ServiceMetrics();
  // Imported here, because other commands start faster without Express.
  const { createService } = await import('../service/service.ts');
  const service = createService({ config, logger, database, observer: metrics });
  const { server } = service;
  const origin = await listenAsConfigured(server, config);
  const baseUrl = origin + v1.prefix;
  // If the start fails from here on, the server must stop listening.
  using _listening = { [Symbol.dispose]: () => server.close().closeAllConnections() };
  await using admin = await openAdmin(service, metrics, log);
  // Requests may be in progress: from now on, a signal lets them end.
  const stopSignal = catchSignals();
  // Now the port is ours, so this attempt may migrate.
  if (obstacle !== undefined) obstacle = await Promise.race([tryOpen(database, 'migrate'), stopSignal]);
  const docs = config.DOCS === 'on' ? `${origin}/docs` : undefined;
  const about = { address: baseUrl, docs, admin: admin?.origin, version, pid: process.pid };
  logger.info(about, `Listening on ${baseUrl}${docs === undefined ? '' : `, documented at ${docs}`}`);
  if (obstacle instanceof Error) {
    const open = async () => void (await database.open('migrate'));
    obstacle = await Promise.race([waitForDatabase(service, logger, open, obstacle), stopSignal]);
  }
  // Only now: a start that fails must not issue a key, which would never be shown.
  if (obstacle === undefined) obstacle = await Promise.race([offerKey(service, baseUrl, log), stopSignal]);

  using _upkeep = obstacle === undefined ? startUpkeep(database.db, logger) : undefined;
  logger.info({ signal: await stopSignal }, 'Stopping');
  await service.connections.stop(server, { graceMs: config.SHUTDOWN_GRACE_MS });
  killUnlessEnded(log, openConfiguredLog);
}

/** Whether another attempt may succeed. `open` throws a DatabaseFault. A query throws the error of its engine. */
const isTransient = (database: Database, error: unknown): error is Error =>
  error instanceof DatabaseFault
    ? error.isTransient
    : error instanceof Error && !isCausedByWork(database, error);

/**
 * @returns why the database cannot be used yet; `undefined` once it is open
 * @throws DatabaseFault when another attempt would fail, too
 */
async function tryOpen(database: Database, access: SchemaAccess): Promise<Error | undefined> {
  try {
    await database.open(access);
    return undefined;
  } catch (error) {
    if (isTransient(database, error)) return error;
    throw error;
  }
}

/**
 * Repeats an attempt until the database is available, and logs each new reason. After a signal to stop, it begins no
 * further attempt and returns `undefined`. `serve` has stopped waiting by then.
 * @param failure the error of an attempt that has failed before
 */
async function waitForDatabase<Result>(
  { database, connections }: Service,
  logger: Logger,
  attempt: () => Promise<Result>,
  failure?: Error,
): Promise<Result | undefined> {
  let lastReason = '';
  const pauseAfter = async (error: unknown) => {
    if (!isTransient(database, error)) throw error;
    const reason = reasonOf(error);
    if (reason !== lastReason && !connections.isStopping)
      logger.warn({ err: error }, 'Waiting for the database');
    lastReason = reason;
    await sleep(OPEN_INTERVAL_MS, undefined, { ref: false });
  };
  if (failure !== undefined) await pauseAfter(failure);
  while (!connections.isStopping) {
    try {
      return await attempt();
    } catch (error) {
      await pauseAfter(error);
    }
  }
  return undefined;
}

/** Kills the process if a thread or a preloaded module keeps it. @param openAgain opens the log, which may be closed */
function killUnlessEnded(log: Log, openAgain: () => Promise<Log>): void {
  const timer = setTimeout(async () => {
    const last = await openAgain();
    last.logger.fatal('The process cannot end and is killed: check the disk and preloaded modules');
    await Promise.all([log, last].map((each) => each[Symbol.asyncDispose]()));
    killProcess();
  }, limits.endMs);
  timer.unref();
}

async function openAdmin(service: Service, metrics: ServiceMetrics | undefined, log: Log) {
  const { ADMIN_HOST: host, ADMIN_PORT: port } = service.config;
  if (metrics === undefined || port === undefined) return undefined;
  const { openAdminListener } = await import('../service/admin-listener.ts');
  metrics.watch(service, log);
  return openAdminListener({ host, port }, service.readiness.isReady);
}

/** Issues and shows a key when the service has none, except in production. Waits if the database is away again. */
async function offerKey(service: Service, baseUrl: string, log: Log): Promise<undefined> {
  const { config, database } = service;
  if (config.API_KEYS.length > 0) return;
  const waitFor = <Result>(attempt: () => Promise<Result>) =>
    withOperatorErrors(database, waitForDatabase(service, log.logger, attempt));
  if (config.NODE_ENV !== 'production') {
    const key = await waitFor(() => createFirstKey(database.db));
    if (key !== undefined) log.write(welcome(baseUrl, key));
  } else if ((await waitFor(() => hasKeys(database.db))) === false) {
    log.logger.warn('There is no API key yet: petstore keys create --name NAME');
  }
}

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
