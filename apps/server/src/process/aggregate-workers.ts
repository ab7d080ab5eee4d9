import cluster, { type Worker } from 'node:cluster';
import { Registry } from '@prometheus-io/client';
import type { AdminSources } from '../http/admin-listener.ts';
import { addProcessMetrics } from '../telemetry/metrics/process-metrics.ts';
import { addEnded, ProcessSnapshot, readSnapshot, render } from '../telemetry/metrics/snapshot.ts';
import { askWorker, READY } from './worker-messages.ts';

/** How long a worker may take to reply. */
const TIMEOUT_MS = 2_000;

/**
 * Aggregates the metrics and the readiness of all workers. The library's `ClusterRegistry` aggregates metrics too, but
 * a counter falls there when a worker dies, and one worker that does not reply fails the scrape.
 */
export function aggregateWorkers(): AdminSources {
  const registry = new Registry();
  addProcessMetrics(registry);
  /** By the number of the worker. */
  const known = new Map<number, ProcessSnapshot>();
  const serving = new Map<number, Worker>();
  let ended: ProcessSnapshot = [];
  // A worker that still starts would let the scraper wait.
  cluster.on('message', (worker, message) => message === READY && serving.set(worker.id, worker));
  cluster.on('exit', ({ id }) => serving.delete(id));

  async function ask(worker: Worker): Promise<void> {
    const { data } = ProcessSnapshot.safeParse(await askWorker(worker, 'metrics', TIMEOUT_MS));
    // A worker that does not reply counts with its last metrics.
    if (data !== undefined) known.set(worker.id, data);
  }

  return {
    async readMetrics(accept) {
      await Promise.all(Array.from(serving.values(), ask));
      for (const [id, last] of known) {
        if (serving.has(id)) continue;
        ended = await addEnded(ended, last);
        known.delete(id);
      }
      return render([await readSnapshot(registry), ...known.values(), ended], accept);
    },
    /** Connections go to any worker that listens: one that can serve is enough. */
    async isReady() {
      const replies = await Promise.all(
        Array.from(serving.values(), (worker) => askWorker(worker, 'readiness', TIMEOUT_MS)),
      );
      return replies.includes(true);
    },
  };
}
