import { expect, test } from 'vitest';
import { sleep, startDeadline, unlessAborted } from './deadline.ts';

const never = () => new Promise<never>(() => {});

test('a deadline aborts with a TimeoutError after its time', async () => {
  const { signal } = startDeadline(1);
  await expect(unlessAborted(signal, never)).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('a deadline aborts together with the outer signal and with its reason', async () => {
  const outer = new AbortController();
  const deadline = startDeadline(60_000, outer.signal);
  outer.abort('enough');
  expect(deadline.signal.reason).toBe('enough');
  expect(startDeadline(60_000, outer.signal).signal.reason).toBe('enough');
});

test('a released deadline never aborts', async () => {
  const outer = new AbortController();
  const deadline = startDeadline(1, outer.signal);
  deadline.release();
  outer.abort();
  await sleep(5, new AbortController().signal);
  expect(deadline.signal.aborted).toBe(false);
});

test.each([Number.POSITIVE_INFINITY, 2 ** 31])(
  'a deadline of %d ms does not abort at once',
  async (milliseconds) => {
    const deadline = startDeadline(milliseconds);
    await sleep(5, new AbortController().signal);
    expect(deadline.signal.aborted).toBe(false);
    deadline.release();
  },
);

test('unlessAborted does not start the work when the signal has aborted', async () => {
  let isStarted = false;
  const work = async () => {
    isStarted = true;
  };
  await expect(unlessAborted(AbortSignal.abort('enough'), work)).rejects.toBe('enough');
  expect(isStarted).toBe(false);
});

test('sleep ends when the signal aborts', async () => {
  const start = performance.now();
  await sleep(60_000, AbortSignal.timeout(1));
  await sleep(60_000, AbortSignal.abort());
  expect(performance.now() - start).toBeLessThan(10_000);
});

test('sleep does not end at once when its time exceeds that of a timer', async () => {
  const controller = new AbortController();
  let isOver = false;
  const slept = sleep(2 ** 31, controller.signal).then(() => {
    isOver = true;
  });
  await sleep(5, new AbortController().signal);
  expect(isOver).toBe(false);
  controller.abort();
  await slept;
});

test('an aborted sleep leaves no timer behind', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  const controller = new AbortController();
  const slept = sleep(60_000, controller.signal);
  expect(timers()).toBe(before + 1);
  controller.abort();
  await slept;
  expect(timers()).toBe(before);
});
