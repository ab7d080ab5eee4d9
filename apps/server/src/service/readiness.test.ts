import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { createReadiness } from './readiness.ts';

const neverStops = () => false;
const logger = pino({ enabled: false });

test('simultaneous probes share one probe of the database, and later ones probe again', async () => {
  const { promise, resolve: respond } = Promise.withResolvers<void>();
  const probe = vi.fn(() => promise);
  const readiness = createReadiness(neverStops, probe, logger);
  const both = [readiness.isReady(), readiness.isReady()];
  expect(probe).toHaveBeenCalledTimes(1);
  respond();
  expect(await Promise.all(both)).toEqual([true, true]);
  await readiness.assert();
  expect(probe).toHaveBeenCalledTimes(2);
});

test('a database that does not respond within a second is not ready', async () => {
  const readiness = createReadiness(neverStops, () => new Promise(() => {}), logger);
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const failed = expect(readiness.assert()).rejects.toMatchObject({ code: 'database_unavailable' });
  vi.advanceTimersByTime(1_000);
  await failed;
});

test('the log has the reason of failed probes, once a minute, but not of a probe that fails while the process stops', async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line).err.message) });
  let reason = 'refused';
  let isStopping = false;
  const probe = () => Promise.reject(new Error(reason));
  const readiness = createReadiness(() => isStopping, probe, log);
  vi.useFakeTimers({ toFake: ['performance'] });
  for (const elapsedMs of [0, 59_999, 1]) {
    vi.advanceTimersByTime(elapsedMs);
    expect(await readiness.isReady()).toBe(false);
    reason = 'no password';
  }
  vi.advanceTimersByTime(60_000);
  const last = readiness.isReady();
  isStopping = true;
  expect(await last).toBe(false);
  expect(lines).toEqual(['refused', 'no password']);
});
