import { Histogram, type Registry } from '@prometheus-io/client';

const INTERVAL_MS = 50;

const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Node's own histogram, `monitorEventLoopDelay`, has percentiles, which cannot be aggregated over processes. */
export function measureEventLoopDelay(registry: Registry, name: string): void {
  const delays = new Histogram({
    name,
    help: `How late a timer fires that is due every ${INTERVAL_MS} ms: for that long the event loop was busy.`,
    buckets: SECONDS,
    registers: [registry],
  });
  let due = performance.now() + INTERVAL_MS;
  setInterval(() => {
    const now = performance.now();
    delays.observe(Math.max(0, now - due) / 1000);
    due = now + INTERVAL_MS;
  }, INTERVAL_MS).unref();
}
