import { readdir, readFile } from 'node:fs/promises';
import type { Registry } from '@prometheus-io/client';
import { addCounter, addGauge } from './read-metrics.ts';

/**
 * Adds what Prometheus expects of every process, under its customary names. The library's default metrics would also
 * watch the garbage collector and the event loop at all times, and have names that promtool refuses.
 */
export function addProcessMetrics(registry: Registry): void {
  addCounter(registry, 'process_cpu_seconds_total', 'User and system CPU time.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  addGauge(registry, 'process_resident_memory_bytes', 'Resident memory.', process.memoryUsage.rss);
  addGauge(
    registry,
    'process_start_time_seconds',
    'When the process started, since the Unix epoch.',
    () => performance.timeOrigin / 1000,
  );
  if (process.platform === 'linux') addFileDescriptorMetrics(registry);
}

function addFileDescriptorMetrics(registry: Registry): void {
  addGauge(
    registry,
    'process_open_fds',
    'Open file descriptors.',
    async () => (await readdir('/proc/self/fd')).length,
  );
  // Read once: when all descriptors are in use, it can no longer be read.
  const limit = readFile('/proc/self/limits', 'utf8').then((limits) =>
    Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY),
  );
  addGauge(registry, 'process_max_fds', 'File descriptors that may be open.', () => limit);
}
