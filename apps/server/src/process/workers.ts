import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Config } from '../config.ts';
import type { AdminListener } from '../http/admin-listener.ts';
import { limits } from '../http/limits.ts';
import { redactApiKeys } from '../keys/api-key.ts';
import { openLog } from '../telemetry/log/loggers.ts';
import { openAdminListenerAsConfigured } from './listen.ts';
import { warnOfMisspelled } from './misspelled-variables.ts';
import { StopSignals } from './stop-signals.ts';
import { READY } from './worker-messages.ts';

/** How long after the end of a worker the next one is started: twice as long each time in a row. */
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;

/** After this time the end of a worker has no reason that would soon end the next one as well. */
const STEADY_MS = 10_000;

/**
 * Runs WORKERS processes of the service behind one port and replaces each that ends by itself, until a
 * signal stops them in order. They share only the port and the database.
 */
export async function runWorkers(config: Config): Promise<void> {
  const signals = new StopSignals();
  const { log, logger } = openLog({
    level: config.LOG_LEVEL,
    format: config.LOG_FORMAT,
    redact: redactApiKeys,
  });
  await using _log = log;
  await using admin = await openAdmin(config);
  let pauseMs = SHORTEST_PAUSE_MS;
  let isStopping = false;

  // Workers accept connections themselves: one that is being passed to a worker that dies would hang forever.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  // One first: it migrates the schema and issues the first key. If it cannot start, none can.
  const first = cluster.fork();
  if (!(await isReady(first))) {
    process.exitCode = 1;
    return;
  }
  warnOfMisspelled((message, misspelling) => logger.warn(misspelling, message));
  if (admin !== undefined) logger.info({ admin: admin.origin }, `Metrics and probes are on ${admin.origin}`);
  const stop = signals.awaitFirst();

  const start = () => replaceWhenEnded(cluster.fork());

  function replaceWhenEnded(worker: Worker): void {
    const since = performance.now();
    const again = (reason: object) => {
      if (isStopping) return;
      if (performance.now() - since > STEADY_MS) pauseMs = SHORTEST_PAUSE_MS;
      logger.error({ worker: worker.id, ...reason, pauseMs }, 'A worker ended and is replaced');
      const timer = setTimeout(start, pauseMs);
      void stop.then(() => clearTimeout(timer));
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    };
    worker.once('exit', (code, signal) => again({ code, signal }));
    // The system could not create a process.
    worker.once('error', (err) => again({ err }));
  }

  replaceWhenEnded(first);
  for (let count = 1; count < config.WORKERS; count += 1) start();
  const signal = await stop;
  isStopping = true;
  const limitMs = config.SHUTDOWN_GRACE_MS + limits.shutdownMs + limits.endMs;
  const workers = Object.values(cluster.workers ?? {});
  await Promise.all(workers.map((worker) => worker && end(worker, signal, limitMs)));
}

async function openAdmin(config: Config): Promise<AdminListener | undefined> {
  if (config.ADMIN_PORT === undefined) return undefined;
  const { aggregateWorkers } = await import('./aggregate-workers.ts');
  return openAdminListenerAsConfigured(config, aggregateWorkers());
}

/** Waits until a worker serves, or ends before it does. */
function isReady(worker: Worker): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  worker.on('message', (message) => message === READY && resolve(true));
  worker.once('exit', () => resolve(false));
  return promise;
}

/** Stops a worker in order, or kills it when that takes too long. */
async function end(worker: Worker, signal: NodeJS.Signals, limitMs: number): Promise<void> {
  if (worker.isDead()) return;
  const ended = once(worker, 'exit');
  worker.process.kill(signal);
  const timer = setTimeout(() => worker.process.kill('SIGKILL'), limitMs);
  await ended;
  clearTimeout(timer);
}
