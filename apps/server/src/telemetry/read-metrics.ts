import { Counter, Gauge, type Registry } from '@prometheus-io/client';

/** The buckets of OpenTelemetry's semantic conventions, and two below, where most of our requests are. */
export const SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
];

/** Reads a number that another component counts. */
type Read = () => number | Promise<number>;

export function addCounter(registry: Registry, name: string, help: string, read: Read): void {
  new Counter({
    name,
    help,
    registers: [registry],
    async collect() {
      const value = await readOrNothing(read);
      this.reset();
      if (value !== undefined) this.inc(value);
    },
  });
}

export function addGauge(registry: Registry, name: string, help: string, read: Read): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const value = await readOrNothing(read);
      if (value === undefined) this.remove();
      else this.set(value);
    },
  });
}

/** A metric that cannot be read must not fail the others. */
async function readOrNothing(read: Read): Promise<number | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}
