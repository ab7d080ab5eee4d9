import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { SharedReads } from './shared-reads.ts';

/** Shared reads with a record of what each transaction has read; a version is the number of its transaction. */
function shareReads(isolates = true) {
  const transactions: string[][] = [];
  const reads = new SharedReads({
    async inTransaction(work) {
      transactions.push([]);
      const version = { epoch: transactions.length, newestId: 0 };
      work();
      return version;
    },
    isolates: () => isolates,
  });
  const read = (name: string) => reads.add(() => void transactions.at(-1)?.push(name));
  const fail = (message: string) =>
    reads.add(() => {
      throw new Error(message);
    });
  return { transactions, read, fail };
}

test('reads of one turn share a transaction, which begins after all of them have arrived', async () => {
  const { transactions, read } = shareReads();
  const first = [read('a'), read('b')];
  expect(transactions).toEqual([]);
  expect((await Promise.all(first)).map(({ epoch }) => epoch)).toEqual([1, 1]);
  expect((await read('c')).epoch).toBe(2);
  expect(transactions).toEqual([['a', 'b'], ['c']]);
});

test('many reads of one turn do not wait for its end', async () => {
  const { transactions, read } = shareReads();
  const names = Array.from({ length: 40 }, (_, index) => `${index}`);
  const results = names.map(read);
  expect(transactions.map(({ length }) => length)).toEqual([16, 16]);
  await Promise.all(results);
  expect(transactions.flat()).toEqual(names);
  await setImmediate();
  expect(transactions.map(({ length }) => length)).toEqual([16, 16, 8]);
});

test('a read that fails does not fail the others of its turn', async () => {
  const { read, fail } = shareReads();
  const results = await Promise.allSettled([read('a'), fail('broken'), read('b')]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('an error that no single read is to blame for fails all of the turn at once', async () => {
  const { transactions, read, fail } = shareReads(false);
  const results = await Promise.allSettled([read('a'), fail('away'), read('b')]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(transactions).toHaveLength(1);
});
