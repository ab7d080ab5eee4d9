import { readdir, readFile } from 'node:fs/promises';
import type { Registry } from '@prometheus-io/client';
import { addCounter, addGauge } from './read-metrics.ts';

/**
 * Adds what Prometheus expects of every process, under its customary names. The library's default metrics would also
 * watch the garbage collector and the event loop at all times, and have names that promtool refuses.
 */
export function addProcessMetrics(registry: Registry): void {
  addCounter(
    registry,
    { name: 'process_cpu_seconds_total', help: 'User and system CPU time of the processes.' },
    () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  );
  addGauge(
    registry,
    { name: 'process_resident_memory_bytes', help: 'Resident memory of the processes.' },
    () => process.memoryUsage.rss(),
  );
  addGauge(
    registry,
    {
      name: 'process_start_time_seconds',
      help: 'When the oldest process started, since the Unix epoch.',
      aggregator: 'min',
    },
    () => performance.timeOrigin / 1000,
  );
  if (process.platform === 'linux') addFileDescriptors(registry);
}

function addFileDescriptors(registry: Registry): void {
  const openFiles = {
    name: 'process_open_fds',
    help: 'Open file descriptors of the process that has most.',
    aggregator: 'max',
  } as const;
  addGauge(registry, openFiles, async () => (await readdir('/proc/self/fd')).length);

  const maxFiles = {
    name: 'process_max_fds',
    help: 'File descriptors that a process may have open.',
    aggregator: 'min',
  } as const;
  // Read once: when all descriptors are in use, it can no longer be read.
  const limit = readFile('/proc/self/limits', 'utf8').then((limits) =>
    Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY),
  );
  addGauge(registry, maxFiles, () => limit);
}
