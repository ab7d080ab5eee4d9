import { setImmediate, setTimeout } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { Batcher, type BatcherOptions } from './batcher.ts';

/** A failure counts as slow from 500 ms on. */
const SLOW_FAILURE_MS = 550;
/** After 5 ms, the next batch begins beside a slow one, if it may. */
const MUCH_LATER_MS = 200;

/**
 * Creates a batcher that records its batches. Each item is its own result, once `process` has ended or, without it,
 * `finish` has been called.
 */
function createBatcher<Item>(
  options: Partial<BatcherOptions<Item>> = {},
  process?: (items: readonly Item[]) => Promise<void>,
) {
  const { promise: end, resolve: finish } = Promise.withResolvers<void>();
  const batches: Item[][] = [];
  const run = async (items: readonly Item[]) => {
    batches.push([...items]);
    await (process?.(items) ?? end);
    return items;
  };
  const all = { maxConcurrent: 1, isCausedByItem: () => false, ...options };
  return { batcher: new Batcher<Item, Item>(run, all), batches, finish };
}

test('items of one turn form a batch, and items that arrive while it runs form the next one', async () => {
  const { batcher, batches, finish } = createBatcher<string>();
  const first = [batcher.add('a'), batcher.add('b')];
  await expect.poll(() => batches).toEqual([['a', 'b']]);
  const next = [batcher.add('c'), batcher.add('d')];
  await setImmediate();
  expect(batcher.waitingCount).toBe(2);
  finish();
  expect(await Promise.all([...first, ...next])).toEqual(['a', 'b', 'c', 'd']);
  expect(batches.map(String)).toEqual(['a,b', 'c,d']);
});

test('a batch waits while as many batches are running as may run at a time', async () => {
  const { batcher, batches, finish } = createBatcher<string>({ maxConcurrent: 2 });
  const results = [];
  for (const item of ['a', 'b']) {
    results.push(batcher.add(item));
    await expect.poll(() => batches.flat()).toContain(item);
  }
  results.push(batcher.add('c'), batcher.add('d'));
  await setTimeout(MUCH_LATER_MS);
  expect(batches).toEqual([['a'], ['b']]);
  finish();
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
  expect(batches).toEqual([['a'], ['b'], ['c', 'd']]);
});

test('items that wait behind slow batches for longer than the time limit fail, and later items run', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { batcher, batches, finish } = createBatcher<string>({ maxWaitMs: 50 });
  const first = batcher.add('a');
  await expect.poll(() => batches).toEqual([['a']]);
  const late = ['b', 'c'].map((item) => batcher.add(item));
  vi.advanceTimersByTime(51);
  const next = batcher.add('d');
  finish();
  await Promise.all(late.map((one) => expect(one).rejects.toThrow('Too many callers wait for the database')));
  expect(await Promise.all([first, next])).toEqual(['a', 'd']);
});

test('a batch ends before it exceeds 400 rows, unless one item does', async () => {
  const { batcher, batches, finish } = createBatcher<number>({ rowsOf: (item) => item });
  finish();
  await Promise.all([150, 250, 1, 1_500, 2, 3].map((item) => batcher.add(item)));
  expect(batches).toEqual([[150, 250], [1], [1_500], [2, 3]]);
});

test('a batch waits while each turn of the event loop brings further items, but not for ever', async () => {
  const { batcher, batches, finish } = createBatcher<string>();
  finish();
  const results = [];
  for (const item of 'abcdefghijk') {
    results.push(batcher.add(item));
    await setImmediate();
  }
  await Promise.all(results);
  // A batch waits for eight turns at most.
  expect(batches[0]).toEqual([...'abcdefgh']);
});

test('after a slow failure one batch at a time tries again, and items added meanwhile fail at once', async () => {
  const { promise: endOfB, reject: failB } = Promise.withResolvers<void>();
  const { batcher, batches } = createBatcher<string>({ maxConcurrent: 2 }, async (items) => {
    if (items.includes('a')) {
      await setTimeout(SLOW_FAILURE_MS);
      throw new Error('locked');
    }
    if (items.includes('b')) await endOfB;
  });
  await expect(batcher.add('a')).rejects.toThrow('locked');

  const failed = expect(batcher.add('b')).rejects.toThrow('still locked');
  await expect.poll(() => batches).toEqual([['a'], ['b']]);
  await setTimeout(MUCH_LATER_MS);
  await expect(batcher.add('c')).rejects.toThrow('locked');
  failB(new Error('still locked'));
  await failed;
  expect(batches).toEqual([['a'], ['b']]);

  // The success of `d` ends this. Otherwise `f` would fail while `e` tries again.
  expect(await batcher.add('d')).toBe('d');
  expect(await Promise.all([batcher.add('e'), batcher.add('f')])).toEqual(['e', 'f']);
});

test('after an item that runs alone has failed slowly, the other items of its batch and waiting ones fail at once', async () => {
  const { promise: end, resolve: finish } = Promise.withResolvers<void>();
  const isCausedByItem = (error: unknown) => error instanceof TypeError;
  const { batcher, batches } = createBatcher<string>({ isCausedByItem }, async (items) => {
    if (items.length > 1) throw new TypeError('of an item');
    await end;
    throw new Error('locked');
  });
  const results = ['a', 'b', 'c'].map((item) => batcher.add(item));
  await expect.poll(() => batches).toEqual([['a', 'b', 'c'], ['a']]);
  results.push(batcher.add('waiting'));
  await setTimeout(SLOW_FAILURE_MS).then(finish);
  await Promise.all(results.map((result) => expect(result).rejects.toThrow('locked')));
  expect(batches).toEqual([['a', 'b', 'c'], ['a']]);
  expect(batcher.waitingCount).toBe(0);
});

test('a slow failure that an item has caused itself fails no other item', async () => {
  const { batcher } = createBatcher<string>({ isCausedByItem: () => true }, async (items) => {
    if (!items.includes('refused')) return;
    await setTimeout(SLOW_FAILURE_MS);
    throw new Error('by a trigger');
  });
  const results = ['refused', 'added'].map((item) => batcher.add(item));
  expect(await Promise.allSettled(results)).toMatchObject([{ status: 'rejected' }, { value: 'added' }]);
});
