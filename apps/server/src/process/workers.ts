import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Config } from '../config.ts';
import { limits } from '../http/limits.ts';
import { openLog } from '../observability/loggers.ts';
import { StopSignals } from './stop-signals.ts';

/** How long a worker that ended is missed before the next one is started: twice as long each time in a row. */
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;

/** A worker that has lived this long did not end for a reason that awaits the next one as well. */
const STEADY_MS = 10_000;

/** How long beyond its own limits a worker may take to end. */
const LATE_MS = 5_000;

/** What a worker says when it serves. */
export const READY = 'ready';

/**
 * Runs WORKERS processes of the service behind one port, and another one for each that ends by itself,
 * until a signal ends them in order. They share nothing but the port and the database.
 */
export async function runWorkers(config: Config): Promise<void> {
  const signals = new StopSignals();
  const { log, logger } = openLog(config);
  await using _log = log;
  let pauseMs = SHORTEST_PAUSE_MS;
  let isStopping = false;

  // Workers take connections themselves: one that was being handed to a worker that dies would hang for good.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  // One first: it migrates the schema and issues the first key, and where it cannot start, none can.
  const first = cluster.fork();
  if (!(await isReady(first))) {
    process.exitCode = 1;
    return;
  }
  const stop = signals.awaitFirst();

  const start = () => replaceWhenEnded(cluster.fork());

  function replaceWhenEnded(worker: Worker): void {
    const since = performance.now();
    const again = (reason: object) => {
      if (isStopping) return;
      if (performance.now() - since > STEADY_MS) pauseMs = SHORTEST_PAUSE_MS;
      logger.error({ worker: worker.id, ...reason, pauseMs }, 'A worker ended: another one is started');
      const timer = setTimeout(start, pauseMs);
      void stop.then(() => clearTimeout(timer));
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    };
    worker.once('exit', (code, signal) => again({ code, signal }));
    // The system had no process to give.
    worker.once('error', (err) => again({ err }));
  }

  replaceWhenEnded(first);
  for (let count = 1; count < config.WORKERS; count += 1) start();
  const signal = await stop;
  isStopping = true;
  const limitMs = config.SHUTDOWN_GRACE_MS + limits.shutdownMs + LATE_MS;
  const workers = Object.values(cluster.workers ?? {});
  await Promise.all(workers.map((worker) => worker && end(worker, signal, limitMs)));
}

/** Waits until a worker serves, or has ended before it did. */
function isReady(worker: Worker): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  worker.on('message', (message) => message === READY && resolve(true));
  worker.once('exit', () => resolve(false));
  return promise;
}

/** Ends a worker in order, or, where it takes too long, at once. */
async function end(worker: Worker, signal: NodeJS.Signals, limitMs: number): Promise<void> {
  if (worker.isDead()) return;
  const ended = once(worker, 'exit');
  worker.process.kill(signal);
  const timer = setTimeout(() => worker.process.kill('SIGKILL'), limitMs);
  await ended;
  clearTimeout(timer);
}
