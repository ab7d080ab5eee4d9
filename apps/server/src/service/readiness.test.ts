import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createReadiness } from './readiness.ts';

const isStopping = () => false;
const logger = pino({ enabled: false });

test('simultaneous probes share one probe of the database, and later ones probe again', async () => {
  const { promise, resolve: respond } = Promise.withResolvers<void>();
  const probe = vi.fn(() => promise);
  const readiness = createReadiness(isStopping, probe, logger);
  const both = [readiness.isReady(), readiness.isReady()];
  expect(probe).toHaveBeenCalledTimes(1);
  respond();
  expect(await Promise.all(both)).toEqual([true, true]);
  await readiness.assert();
  expect(probe).toHaveBeenCalledTimes(2);
});

test('a database that does not respond within a second is not ready', async () => {
  const readiness = createReadiness(isStopping, () => new Promise(() => {}), logger);
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const failed = expect(readiness.assert()).rejects.toMatchObject({ code: 'database_unavailable' });
  vi.advanceTimersByTime(1_000);
  await failed;
});

test('the log has the reason of failed probes, once a minute, also where only the admin listener and the metrics ask', async () => {
  const lines: string[] = [];
  const log = pino(
    { base: null },
    { write: (line: string) => void lines.push(JSON.parse(line).err.message) },
  );
  let reason = 'refused';
  const readiness = createReadiness(isStopping, () => Promise.reject(new Error(reason)), log);
  const now = vi.spyOn(performance, 'now').mockReturnValue(1);
  onTestFinished(() => now.mockRestore());
  for (const time of [1, 60_000, 60_001]) {
    now.mockReturnValue(time);
    expect(await readiness.isReady()).toBe(false);
    reason = 'no password';
  }
  expect(lines).toEqual(['refused', 'no password']);
});
