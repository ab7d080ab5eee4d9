import { Counter, Gauge, type Registry } from '@prometheus-io/client';

interface Description {
  name: string;
  help: string;
  /** How the values of several processes become one. @default sum */
  aggregator?: 'sum' | 'min' | 'max';
}

/** Adds a counter whose value is read when the metrics are: what counts it does not know of metrics. */
export function addCounter(registry: Registry, { name, help }: Description, read: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

/** Adds a gauge whose value is read when the metrics are. */
export function addGauge(
  registry: Registry,
  { name, help, aggregator = 'sum' }: Description,
  read: () => number | Promise<number>,
): void {
  new Gauge({
    name,
    help,
    aggregator,
    registers: [registry],
    async collect() {
      try {
        this.set(await read());
      } catch {
        // The other metrics are of more use without this one than none at all.
        this.remove();
      }
    },
  });
}
