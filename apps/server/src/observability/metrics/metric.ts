import type { MetricSnapshot, ProcessSnapshot } from './snapshot.ts';

/** Reads a metric: what counts does not know of metrics, and is asked when they are. */
export type Metric = () => MetricSnapshot | Promise<MetricSnapshot>;

export type MetricValue = MetricSnapshot['values'][number];

/** A number, or one for each of some labels. */
type Read = () => number | readonly MetricValue[] | Promise<number>;

export const counter = (name: string, help: string, read: Read): Metric =>
  readValues({ name, help, type: 'counter', aggregator: 'sum' }, read);

/** @param aggregator how the values of several processes become one */
export const gauge = (
  name: string,
  help: string,
  read: Read,
  aggregator: MetricSnapshot['aggregator'] = 'sum',
): Metric => readValues({ name, help, type: 'gauge', aggregator }, read);

export const histogram = (
  name: string,
  help: string,
  source: { values(name: string): readonly MetricValue[] },
): Metric => readValues({ name, help, type: 'histogram', aggregator: 'sum' }, () => source.values(name));

/** Reads metrics at the same time. */
export const readAll = (metrics: readonly Metric[]): Promise<ProcessSnapshot> =>
  Promise.all(metrics.map((read) => read()));

function readValues(description: Omit<MetricSnapshot, 'values'>, read: Read): Metric {
  return async () => {
    try {
      const value = await read();
      return { ...description, values: typeof value === 'number' ? [{ labels: {}, value }] : [...value] };
    } catch {
      // The other metrics are of more use without this one than none at all.
      return { ...description, values: [] };
    }
  };
}
