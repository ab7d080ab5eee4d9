import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OverloadLog } from './overload-log.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('overload is logged once for each second in which it happened, with the counts of this second', () => {
  const lines: unknown[] = [];
  const log = new OverloadLog(pino({}, { write: (line) => void lines.push(JSON.parse(line)) }));
  for (const what of ['refused', 'refused', 'cut'] as const) log.count(what);
  vi.advanceTimersByTime(999);
  expect(lines).toEqual([]);
  vi.advanceTimersByTime(1);
  log.count('cut');
  vi.advanceTimersByTime(60_000);
  expect(lines).toMatchObject([
    { level: 40, refused: 2, cut: 1, withinMs: 1_000 },
    { level: 40, refused: 0, cut: 1 },
  ]);
  expect(log.cutCount).toBe(2);
});
