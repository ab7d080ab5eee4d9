import { expect, test, vi } from 'vitest';
import { Turns } from './turns.ts';

test('callers take turns in the order of arrival, and a caller that waits for five seconds gives up its turn', async () => {
  vi.useFakeTimers();
  const turns = new Turns(() => new Error('too late'));
  const order: string[] = [];
  const take = (name: string) => turns.take().finally(() => order.push(name));
  const endFirst = await turns.take();
  const late = expect(take('late')).rejects.toThrow('too late');
  await vi.advanceTimersByTimeAsync(4_000);
  const [third, fourth] = [take('third'), take('fourth')];
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
