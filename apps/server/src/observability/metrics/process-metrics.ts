import { readdir, readFile } from 'node:fs/promises';
import { counter, gauge, type Metric } from './metric.ts';

/**
 * What Prometheus expects of every process, under its customary names. The library's default metrics would also watch
 * the garbage collector and the event loop at all times, and have names that promtool refuses.
 */
export function processMetrics(): Metric[] {
  const readCpuSeconds = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  const readStart = () => performance.timeOrigin / 1000;
  return [
    counter('process_cpu_seconds_total', 'User and system CPU time of the processes.', readCpuSeconds),
    gauge('process_resident_memory_bytes', 'Resident memory of the processes.', process.memoryUsage.rss),
    gauge(
      'process_start_time_seconds',
      'When the oldest process started, since the Unix epoch.',
      readStart,
      'min',
    ),
    ...(process.platform === 'linux' ? fileDescriptorMetrics() : []),
  ];
}

function fileDescriptorMetrics(): Metric[] {
  const countOpen = async () => (await readdir('/proc/self/fd')).length;
  // Read once: when all descriptors are in use, it can no longer be read.
  const limit = readFile('/proc/self/limits', 'utf8').then((limits) =>
    Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY),
  );
  return [
    gauge('process_open_fds', 'Open file descriptors of the process that has most.', countOpen, 'max'),
    gauge('process_max_fds', 'File descriptors that a process may have open.', () => limit, 'min'),
  ];
}
