import { writeFileSync } from 'node:fs';
import { temporaryFolder } from '@petstore/test-support/files';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ImportProgress } from '../src/import/import-progress.ts';
import { Lines, MAX_RECORD_BYTES } from '../src/import/lines.ts';
import { formatDuration } from '../src/terminal.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test.each([
  ['a file', { position: 250, size: 1_000 }, '1,024 lines, 25 %, 30 s left'],
  ['a file that is read', { position: 1_000, size: 1_000 }, '1,024 lines, 100 %, 0 s left'],
  ['standard input', { position: 2_500_000, size: 0 }, '1,024 lines, 2.5 MB'],
  ['a file that grows', { position: 2_000, size: 1_000 }, '1,024 lines, 0.0 MB'],
])('the progress of %s after ten seconds has what is known', (_, lines, expected) => {
  const progress = new ImportProgress(lines);
  progress.taken = 1_024;
  progress.done.added = 1_000;
  progress.done.refused = 24;
  vi.advanceTimersByTime(10_000);
  expect(progress.describe()).toBe(expected);
});

test('the share does not count lines that wait for a response', () => {
  const progress = new ImportProgress({ position: 1_000, size: 1_000 });
  progress.taken = 64;
  progress.done.replayed = 16;
  expect(progress.describe()).toMatch(/^16 lines, 25 %, /);
});

test('the position counts all bytes of a too long line, also of a last one without a line feed', async () => {
  await using folder = await temporaryFolder();
  const tooLong = 'x'.repeat(3 * MAX_RECORD_BYTES);
  writeFileSync(folder.file('pets.csv'), `${tooLong}\n${tooLong}`);
  const lines = new Lines(folder.file('pets.csv'));
  const problem = expect.stringContaining('longer than');
  expect(await Array.fromAsync(lines)).toMatchObject([{ problem }, { problem }]);
  expect(lines.position).toBe(lines.size);
});

test.each([
  [1, '1 s'],
  [120_000, '120 s'],
  [120_001, '3 min'],
  [7_200_000, '120 min'],
  [7_200_001, '3 h'],
])('%i ms are told as %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text);
});
