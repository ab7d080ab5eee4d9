import { Counter, Gauge, type Registry } from '@prometheus-io/client';

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
