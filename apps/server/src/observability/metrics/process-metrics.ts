import { readdir, readFile } from 'node:fs/promises';
import { Counter, Gauge, type Registry } from '@prometheus-io/client';

/**
 * Adds what Prometheus expects of every process, under its customary names. The library's default metrics would also
 * watch the garbage collector and the event loop at all times, and have names that promtool refuses.
 */
export function addProcessMetrics(registry: Registry): void {
  const registers = [registry];
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'User and system CPU time of the processes.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of the processes.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'When the oldest process started, since the Unix epoch.',
    registers,
    aggregator: 'min',
    collect() {
      this.set(performance.timeOrigin / 1000);
    },
  });
  if (process.platform !== 'linux') return;
  new Gauge({
    name: 'process_open_fds',
    help: 'Open file descriptors of the process that has most.',
    registers,
    aggregator: 'max',
    async collect() {
      this.set((await readdir('/proc/self/fd')).length);
    },
  });
  new Gauge({
    name: 'process_max_fds',
    help: 'File descriptors that a process may have open.',
    registers,
    aggregator: 'min',
    async collect() {
      const [, limit] = /^Max open files\s+(\d+)/m.exec(await readFile('/proc/self/limits', 'utf8')) ?? [];
      if (limit !== undefined) this.set(Number(limit));
    },
  });
}
