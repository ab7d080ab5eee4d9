import type { MetricValue } from './metric.ts';

/** Counts values by their size. The library's histogram takes a microsecond for each, which is 3 % of a cached request. */
export class Histogram {
  readonly #bounds: readonly number[];
  /** How many values are up to each bound and above the one before it; the last count has no upper bound. */
  readonly #counts: number[];
  #sum = 0;

  /** @param bounds ascending */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    let bucket = 0;
    while (bucket < this.#bounds.length && value > (this.#bounds[bucket] ?? 0)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += value;
  }

  /** The values that Prometheus derives from a histogram of this name. */
  values(name: string, labels: MetricValue['labels'] = {}): MetricValue[] {
    let total = 0;
    const buckets = this.#counts.map((count, bucket) => {
      total += count;
      return {
        metricName: `${name}_bucket`,
        labels: { ...labels, le: this.#bounds[bucket] ?? '+Inf' },
        value: total,
      };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sum },
      { metricName: `${name}_count`, labels, value: total },
    ];
  }
}
