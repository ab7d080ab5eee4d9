import { Counter, Gauge, type Registry } from '@prometheus-io/client';

/** Reads a number that a part of the service keeps: the part does not know of metrics, and is asked when they are read. */
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

/** The other metrics are of more use without one that cannot be read than none at all. */
async function readOrNothing(read: Read): Promise<number | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}
