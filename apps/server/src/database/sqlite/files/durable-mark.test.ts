import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { temporaryFolder } from '@petstore/test-support/files';
import { expect, test } from 'vitest';
import { DurableMark } from './durable-mark.ts';

test('what was written last is read by the next process, also when it is shorter', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('mark');
  using first = open(file);
  expect(first.mark.read()).toBe(undefined);
  first.mark.write({ schema: 12n, id: 2n ** 63n - 1n });
  first.mark.write({ schema: 3n, id: 1n });
  using next = open(file);
  expect(next.mark.read()).toEqual({ schema: 3n, id: 1n });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test.each(['', '\0'.repeat(48), '3 ', '3 -1\n', 'x 1\n'])(
  'a file with %j, as after a power failure, says nothing',
  async (content) => {
    await using folder = await temporaryFolder();
    writeFileSync(folder.file('mark'), content);
    using opened = open(folder.file('mark'));
    expect(opened.mark.read()).toBe(undefined);
    expect(readFileSync(folder.file('mark'), 'latin1')).toBe(content);
  },
);

test('a file that cannot be opened says nothing, and is left alone', async () => {
  await using folder = await temporaryFolder();
  mkdirSync(folder.file('mark'));
  using opened = open(folder.file('mark'));
  opened.mark.write({ schema: 1n, id: 1n });
  expect(opened.mark.read()).toBe(undefined);
});

function open(file: string) {
  const mark = new DurableMark(file);
  return { mark, [Symbol.dispose]: () => mark.close() };
}
