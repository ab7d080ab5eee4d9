import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { OverloadLog } from './overload-log.ts';

test('overload is logged once for each second in which it happened, with the counts of this second', () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const lines: unknown[] = [];
  const log = new OverloadLog(pino({}, { write: (line) => void lines.push(JSON.parse(line)) }));
  for (const what of ['refused', 'refused', 'cut'] as const) log.count(what);
  vi.advanceTimersByTime(999);
  expect(lines).toEqual([]);
  vi.advanceTimersByTime(1);
  log.count('cut');
  vi.advanceTimersByTime(60_000);
  const first = { level: 40, refused: 2, cut: 1, withinMs: 1_000 };
  expect(lines).toMatchObject([first, { level: 40, refused: 0, cut: 1 }]);
  expect(log.cutCount).toBe(2);
});
