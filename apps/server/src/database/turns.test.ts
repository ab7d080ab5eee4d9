import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Turns } from './turns.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('callers take turns in the order of arrival, and a caller that waits for five seconds gives up its turn', async () => {
  const turns = new Turns(() => new Error('late'));
  const order: string[] = [];
  const endFirst = await turns.take();
  const late = turns.take().catch((error: Error) => order.push(error.message));
  await vi.advanceTimersByTimeAsync(4_000);
  const third = turns.take();
  void third.then(() => order.push('third'));
  const fourth = turns.take();
  void fourth.then(() => order.push('fourth'));
  await vi.advanceTimersByTimeAsync(999);
  expect(order).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await late;
  expect(order).toEqual(['late']);
  endFirst();
  const endThird = await third;
  expect(order).toEqual(['late', 'third']);
  endThird();
  (await fourth)();
  expect(vi.getTimerCount(), 'timers that are left').toBe(0);
});
