import { Counter, Gauge } from '@prometheus-io/client';

/** Upper bounds in seconds: the buckets of OpenTelemetry's conventions, and two below, where most of our requests are. */
export const DURATION_BUCKETS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
];

/** @param read is called at each scrape and returns a number that another component counts */
export function addCounter(name: string, help: string, read: () => number): void {
  new Counter({
    name,
    help,
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

/** @param read is called at each scrape. If it fails, the gauge is left out: other metrics must not fail. */
export function addGauge(name: string, help: string, read: () => number | Promise<number>): void {
  new Gauge({
    name,
    help,
    async collect() {
      try {
        this.set(await read());
      } catch {
        this.remove();
      }
    },
  });
}
