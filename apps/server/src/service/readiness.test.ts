import { expect, onTestFinished, test, vi } from 'vitest';
import { createReadiness } from './readiness.ts';

const isStopping = () => false;

test('simultaneous probes share one probe of the database, and later ones probe again', async () => {
  const { promise, resolve: respond } = Promise.withResolvers<void>();
  const probe = vi.fn(() => promise);
  const readiness = createReadiness(isStopping, probe);
  const both = [readiness.isReady(), readiness.isReady()];
  expect(probe).toHaveBeenCalledTimes(1);
  respond();
  expect(await Promise.all(both)).toEqual([true, true]);
  await readiness.assert();
  expect(probe).toHaveBeenCalledTimes(2);
});

test('a database that does not respond within a second is not ready', async () => {
  const readiness = createReadiness(isStopping, () => new Promise(() => {}));
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const failed = expect(readiness.assert()).rejects.toMatchObject({ code: 'database_unavailable' });
  vi.advanceTimersByTime(1_000);
  await failed;
});
