import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Config } from './config.ts';
import { openLog } from './log/open.ts';
import { StopSignals } from './stop-signals.ts';

/** How long a worker that ended is missed before the next one is started: twice as long each time in a row. */
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;

/** A worker that has lived this long did not end for a reason that awaits the next one as well. */
const STEADY_MS = 10_000;

/**
 * Runs WORKERS processes of the service behind one port, and another one for each that ends by itself,
 * until a signal ends them in order. They share nothing but the port and the database.
 */
export async function superviseWorkers(config: Config): Promise<void> {
  const signals = new StopSignals();
  const { log, logger } = openLog(config);
  await using _log = log;
  let pauseMs = SHORTEST_PAUSE_MS;
  let isStopping = false;

  // Workers take connections themselves: one that was being handed to a worker that dies would hang for good.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  // One first: it migrates the schema and issues the first key, and where it cannot start, none can.
  const first = cluster.fork();
  if (!(await isListening(first))) {
    process.exitCode = 1;
    return;
  }
  const stop = signals.awaitFirst();

  const start = () => replace(cluster.fork());

  function replace(worker: Worker): void {
    const since = performance.now();
    worker.once('exit', (code, signal) => {
      if (isStopping) return;
      if (performance.now() - since > STEADY_MS) pauseMs = SHORTEST_PAUSE_MS;
      logger.error({ worker: worker.id, code, signal, pauseMs }, 'A worker ended: another one is started');
      const timer = setTimeout(start, pauseMs);
      void stop.then(() => clearTimeout(timer));
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    });
  }

  replace(first);
  for (let count = 1; count < config.WORKERS; count += 1) start();
  const signal = await stop;
  isStopping = true;
  await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => worker && end(worker, signal)));
}

/** Waits until a worker listens, or has ended before it did. */
function isListening(worker: Worker): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  worker.once('listening', () => resolve(true));
  worker.once('exit', () => resolve(false));
  return promise;
}

async function end(worker: Worker, signal: NodeJS.Signals): Promise<void> {
  const ended = once(worker, 'exit');
  worker.process.kill(signal);
  await ended;
}
