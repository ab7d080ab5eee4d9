import { expect, test } from 'vitest';
import { ImportProgress } from '../src/import/import-progress.ts';

test.each([
  ['a file', { position: 500, size: 1_000 }, /^1,024 lines, 50 %, \d+ s left$/],
  ['standard input', { position: 2_500_000, size: 0 }, /^1,024 lines, 2\.5 MB$/],
  ['a file that grows', { position: 2_000, size: 1_000 }, /^1,024 lines, 0\.0 MB$/],
])('the progress of %s has what is known', (_, lines, expected) => {
  const progress = new ImportProgress(lines);
  progress.taken = 1_024;
  progress.done.added = 1_000;
  progress.done.refused = 24;
  expect(progress.describe()).toMatch(expected);
});

test('the share does not count lines that wait for a response', () => {
  const progress = new ImportProgress({ position: 1_000, size: 1_000 });
  progress.taken = 64;
  progress.done.replayed = 16;
  expect(progress.describe()).toMatch(/^16 lines, 25 %, /);
});
