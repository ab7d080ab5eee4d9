import cluster, { type Worker } from 'node:cluster';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { isReady } from '../http/public/health.ts';
import { askWorker, READY, replyToPrimary } from '../process/worker-messages.ts';
import { type AdminListener, openAdminListener } from './admin-listener.ts';
import type { Metrics } from './metrics/metrics.ts';
import { processMetrics } from './metrics/process-metrics.ts';
import { addEnded, ProcessSnapshot } from './metrics/snapshot.ts';

/** How long a worker may take to tell its metrics. */
const TIMEOUT_MS = 2_000;

/**
 * Makes the metrics and readiness of this process known: on the admin listener where it is the only process, and to
 * the primary where it is a worker.
 *
 * @returns the admin listener, if it is here
 */
export async function openAdmin(context: Context, metrics: Metrics): Promise<AdminListener | undefined> {
  if (cluster.isPrimary) {
    return openAdminListener(context.config, {
      readMetrics: async () => [await metrics.snapshot()],
      isReady: () => isReady(context),
    });
  }
  replyToPrimary({ metrics: () => metrics.snapshot(), readiness: () => isReady(context) });
  return undefined;
}

/**
 * Opens the admin listener of a primary, which aggregates what its workers tell. The library's `ClusterRegistry` does
 * so too, but a counter falls there when a worker dies, and one worker that does not reply fails the scrape.
 */
export function openPrimaryAdmin(config: Config): Promise<AdminListener> {
  const ownMetrics = processMetrics();
  /** By the number of the worker. */
  const known = new Map<number, ProcessSnapshot>();
  const serving = new Map<number, Worker>();
  let ended: ProcessSnapshot = [];
  // A worker that still starts would let the scraper wait.
  cluster.on('message', (worker, message) => message === READY && serving.set(worker.id, worker));
  cluster.on('exit', ({ id }) => serving.delete(id));

  async function ask(worker: Worker): Promise<void> {
    const { data } = ProcessSnapshot.safeParse(await askWorker(worker, 'metrics', TIMEOUT_MS));
    // A worker that does not reply counts with what it told before.
    if (data !== undefined) known.set(worker.id, data);
  }

  async function readMetrics(): Promise<ProcessSnapshot[]> {
    await Promise.all(Array.from(serving.values(), ask));
    for (const [id, last] of known) {
      if (serving.has(id)) continue;
      ended = await addEnded(ended, last);
      known.delete(id);
    }
    const own = await Promise.all(ownMetrics.map((read) => read()));
    return [own, ...known.values(), ended];
  }

  /** Connections go to any worker that listens: one that can serve is enough. */
  async function isAnyReady(): Promise<boolean> {
    const replies = await Promise.all(
      Array.from(serving.values(), (worker) => askWorker(worker, 'readiness', TIMEOUT_MS)),
    );
    return replies.includes(true);
  }

  return openAdminListener(config, { readMetrics, isReady: isAnyReady });
}
