import { Histogram, type Registry } from '@prometheus-io/client';

const INTERVAL_MS = 50;

/**
 * Adds a histogram of how late a timer fires: the event loop was busy for that long. Node's own histogram
 * (`perf_hooks.monitorEventLoopDelay`) has percentiles, which cannot be aggregated over processes.
 *
 * @returns a handle that ends the timer
 */
export function addEventLoopDelay(registry: Registry): Disposable {
  const delays = new Histogram({
    name: 'petstore_event_loop_delay_seconds',
    help: 'How late a timer fires that is due every 50 ms: for that long the event loop was busy.',
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  let due = performance.now() + INTERVAL_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    delays.observe(Math.max(0, now - due) / 1000);
    due = now + INTERVAL_MS;
  }, INTERVAL_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
