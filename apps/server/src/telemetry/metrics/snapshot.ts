import { Registry } from '@prometheus-io/client';
import { z } from 'zod';

/** The values of one metric at one moment, as `Registry.getMetricsAsJSON` has them. */
const MetricSnapshot = z.object({
  name: z.string(),
  help: z.string(),
  type: z.enum(['counter', 'gauge', 'histogram']),
  /** How the values of several processes become one. */
  aggregator: z.enum(['sum', 'min', 'max']),
  values: z.array(
    z.object({
      metricName: z.string().optional(),
      labels: z.record(z.string(), z.union([z.string(), z.number()])),
      value: z.number(),
    }),
  ),
});

/** The metrics of one process. */
export const ProcessSnapshot = z.array(MetricSnapshot);

export type ProcessSnapshot = z.output<typeof ProcessSnapshot>;

/** The values of all metrics of this process now. */
export const readSnapshot = async (registry: Registry): Promise<ProcessSnapshot> =>
  ProcessSnapshot.parse(await registry.getMetricsAsJSON());

/** Metrics as a scraper reads them. */
interface Exposition {
  contentType: string;
  text: string;
}

/**
 * Aggregates the metrics of all processes to text, in the format that a scraper accepts.
 *
 * @param accept the Accept header: OpenMetrics where it names that, and otherwise Prometheus text, which all take
 */
export async function render(snapshots: readonly ProcessSnapshot[], accept = ''): Promise<Exposition> {
  const isOpenMetrics = accept.includes('application/openmetrics-text');
  const registry = Registry.aggregate(isOpenMetrics ? snapshots.map(withoutTotal) : [...snapshots]);
  const contentType = isOpenMetrics ? Registry.OPENMETRICS_CONTENT_TYPE : Registry.PROMETHEUS_CONTENT_TYPE;
  registry.setContentType(contentType);
  return { contentType, text: await registry.metrics() };
}

/** In OpenMetrics the suffix belongs to the values of a counter: the library adds it to the name that it has. */
const withoutTotal = (snapshot: ProcessSnapshot): ProcessSnapshot =>
  snapshot.map((metric) =>
    metric.type === 'counter' ? { ...metric, name: metric.name.replace(/_total$/, '') } : metric,
  );
