import cluster from 'node:cluster';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { type Context, createContext } from './context.ts';
import type { Database } from './database/database.ts';
import { explainOutage, openDatabase } from './database/open.ts';
import { limits } from './http/limits.ts';
import { listen } from './http/listen.ts';
import { isReady } from './http/public/health.ts';
import { createHttpServer } from './http/server.ts';
import { startSavingLastUse } from './keys/last-use.ts';
import { createFirstKey, hasKeys } from './keys/manage.ts';
import type { LogBuffer } from './observability/log/log-buffer.ts';
import { openLog } from './observability/log/loggers.ts';
import type { Metrics } from './observability/metrics/metrics.ts';
import type { Tracing } from './observability/tracing/tracing.ts';
import { startHousekeeping } from './pets/housekeeping.ts';
import { warnOfMisspelled } from './process/misspelled-variables.ts';
import { StopSignals } from './process/stop-signals.ts';
import { READY, replyToPrimary } from './process/worker-messages.ts';
import { version } from './version.ts';

/**
 * Runs the service until a signal ends it, then stops it in order: the database after the last request,
 * the log last.
 *
 * @throws OperatorError when it cannot start
 */
export async function serve(config: Config): Promise<void> {
  const signals = new StopSignals();
  const { log, logger, accessLog } = openLog(config);
  await using _log = log;
  process.once('uncaughtException', async (error) => {
    logger.fatal({ err: error }, 'A bug ends the process');
    await log[Symbol.asyncDispose]();
    process.exit(1);
  });
  await using tracing = await createTracing(config, logger);
  await using opened = await openDatabase(config);
  const database = tracing?.traceDatabase(opened) ?? opened;
  const metrics = await createMetrics(config);
  const context = createContext({ config, logger, accessLog, database, metrics, tracing });
  const server = createHttpServer(context);
  const baseUrl = await listen(server, config);
  // A start that fails from here on must not leave a server that listens without its database.
  using _listening = { [Symbol.dispose]: () => server.close().closeAllConnections() };
  await using admin = metrics && (await openAdmin(context, metrics, log));
  const stop = signals.awaitFirst();
  const docs = new URL('/docs', baseUrl).href;
  const about = { address: baseUrl, docs, admin: admin?.origin, version, pid: process.pid };
  logger.info(about, `Listening on ${baseUrl}, documented at ${docs}`);
  if (cluster.isPrimary) warnOfMisspelled((message, misspelling) => logger.warn(misspelling, message));
  // Only now: a start that finds its port taken must not issue a key, which would never be shown.
  const key = await explainOutage(database, provideKey(database, config, logger));
  if (key !== undefined) log.write(welcome(baseUrl, key));
  cluster.worker?.send(READY);

  await using _lastUse = startSavingLastUse(context);
  using _housekeeping = startHousekeeping(context);
  logger.info({ signal: await stop }, 'Stopping');
  await context.connections.stop(server, config.SHUTDOWN_GRACE_MS);
  killUnlessEnded({ log, logger });
}

/**
 * Kills the process when it does not end in time. A disk that does not respond holds a thread of Node's pool, which
 * keeps the process alive; `process.exit` would wait for that thread too.
 */
function killUnlessEnded({ log, logger }: Pick<ReturnType<typeof openLog>, 'log' | 'logger'>): void {
  const timer = setTimeout(async () => {
    logger.fatal('The process cannot end and is killed: check the disk');
    await log[Symbol.asyncDispose]();
    process.kill(process.pid, 'SIGKILL');
  }, limits.endMs);
  timer.unref();
}

/** Metrics are loaded and counted only where the admin listener shows them. */
async function createMetrics({ ADMIN_PORT }: Config): Promise<Metrics | undefined> {
  if (ADMIN_PORT === undefined) return undefined;
  const { Metrics } = await import('./observability/metrics/metrics.ts');
  return new Metrics();
}

/** OpenTelemetry is loaded only where a collector is named. */
async function createTracing(config: Config, logger: Logger): Promise<Tracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT } = config;
  if ((OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? OTEL_EXPORTER_OTLP_ENDPOINT) === undefined) return undefined;
  const { createTracing } = await import('./observability/tracing/tracing.ts');
  return createTracing(config, logger);
}

/** Opens the admin listener, which the primary has where there are workers: it asks them. */
async function openAdmin(context: Context, metrics: Metrics, log: LogBuffer) {
  metrics.watch(context, log);
  const readMetrics = () => metrics.snapshot();
  if (cluster.isWorker) {
    replyToPrimary({ metrics: readMetrics, readiness: () => isReady(context) });
    return undefined;
  }
  const { openAdminListener } = await import('./observability/admin-listener.ts');
  return openAdminListener(context.config, {
    readMetrics: async () => [await readMetrics()],
    isReady: () => isReady(context),
  });
}

/**
 * Issues a key when no caller could use the service otherwise.
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

/**
 * What a first start tells its operator: the key, which is never shown again, and commands to try it.
 *
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
