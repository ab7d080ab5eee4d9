import { readdir } from 'node:fs/promises';
import { Histogram } from '@prometheus-io/client';
import { maxFileDescriptors } from '../process/file-descriptors.ts';
import { addCounter, addGauge, DURATION_BUCKETS } from './read-metrics.ts';

/**
 * Adds the process metrics with their customary names. The library's default metrics observe each garbage collection,
 * and promtool refuses some of their names.
 */
export function addProcessMetrics(): void {
  addCounter('process_cpu_seconds_total', 'User and system CPU time.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  addGauge('process_resident_memory_bytes', 'Resident memory.', process.memoryUsage.rss);
  addGauge(
    'process_start_time_seconds',
    'When the process started, since the Unix epoch.',
    () => performance.timeOrigin / 1000,
  );
  if (process.platform !== 'linux') return;
  const limit = maxFileDescriptors();
  addGauge('process_max_fds', 'File descriptors that may be open.', () => limit);
  // One descriptor reads the folder. When all are in use, the folder cannot be read.
  const countOpen = () =>
    readdir('/proc/self/fd')
      .then(({ length }) => length - 1)
      .catch(() => limit);
  addGauge('process_open_fds', 'Open file descriptors.', countOpen);
}

const INTERVAL_MS = 50;

/** Node's own histogram, `monitorEventLoopDelay`, has percentiles, which cannot be aggregated over processes. */
export function measureEventLoopDelay(): void {
  const delays = new Histogram({
    name: 'petstore_event_loop_delay_seconds',
    help: `How late a timer fires that is due every ${INTERVAL_MS} ms: for that long the event loop was busy.`,
    buckets: DURATION_BUCKETS,
  });
  let due = performance.now() + INTERVAL_MS;
  setInterval(() => {
    const now = performance.now();
    delays.observe(Math.max(0, now - due) / 1000);
    due = now + INTERVAL_MS;
  }, INTERVAL_MS).unref();
}
