import { expect, test } from 'vitest';
import { sleep, startDeadline, until } from './deadline.ts';

const never = () => new Promise<never>(() => {});

test('a deadline aborts with a TimeoutError when its time is over', async () => {
  const { signal } = startDeadline(1);
  await expect(until(signal, never)).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('a deadline aborts together with the outer signal, with its reason', async () => {
  const outer = new AbortController();
  const deadline = startDeadline(60_000, outer.signal);
  outer.abort('enough');
  expect(deadline.signal.reason).toBe('enough');
  expect(startDeadline(60_000, outer.signal).signal.reason).toBe('enough');
});

test('a deadline that is released never aborts', async () => {
  const outer = new AbortController();
  const deadline = startDeadline(1, outer.signal);
  deadline.release();
  outer.abort();
  await sleep(5, new AbortController().signal);
  expect(deadline.signal.aborted).toBe(false);
});

test.each([Number.POSITIVE_INFINITY, 2 ** 31])(
  'a deadline of %d ms is not over at once',
  async (milliseconds) => {
    const deadline = startDeadline(milliseconds);
    await sleep(5, new AbortController().signal);
    expect(deadline.signal.aborted).toBe(false);
    deadline.release();
  },
);

test('work is not begun when the signal has aborted before', async () => {
  let begun = false;
  const work = async () => {
    begun = true;
  };
  await expect(until(AbortSignal.abort('enough'), work)).rejects.toBe('enough');
  expect(begun).toBe(false);
});

test('a sleep ends when the signal aborts', async () => {
  const start = performance.now();
  await sleep(60_000, AbortSignal.timeout(1));
  await sleep(60_000, AbortSignal.abort());
  expect(performance.now() - start).toBeLessThan(10_000);
});

test('a sleep longer than a timer can be is not over at once', async () => {
  const controller = new AbortController();
  let over = false;
  const slept = sleep(2 ** 31, controller.signal).then(() => {
    over = true;
  });
  await sleep(5, new AbortController().signal);
  expect(over).toBe(false);
  controller.abort();
  await slept;
});

test('a sleep that is ended leaves no timer behind', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  const controller = new AbortController();
  const slept = sleep(60_000, controller.signal);
  expect(timers()).toBe(before + 1);
  controller.abort();
  await slept;
  expect(timers()).toBe(before);
});
