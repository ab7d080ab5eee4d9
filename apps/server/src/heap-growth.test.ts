import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** What V8 takes by itself on a machine with much memory, so that the test says the same on one with little. */
const ROOM = ['--max-semi-space-size=64', '--max-old-space-size=2048'];

/** A process whose objects live for a thousand turns, 34 MB of them; it prints the most room, in MB, of the young and of the old. */
const script = (prepare: string) => `
import { setImmediate } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { limitHeapGrowth } from '${new URL('heap-growth.ts', import.meta.url)}';
${prepare}
const kept = [];
const most = { new_space: 0, old_space: 0 };
for (let turn = 0; turn < 10_000; turn += 1) {
  kept[turn % 1_000] = Array.from({ length: 1_000 }, (_, index) => ({ index }));
  await setImmediate();
  for (const { space_name, space_size } of getHeapSpaceStatistics()) {
    if (space_name in most) most[space_name] = Math.max(most[space_name], space_size / 2 ** 20);
  }
}
console.log(most.new_space, most.old_space);
`;

function roomOf(prepare: string) {
  const arguments_ = [...ROOM, '--input-type=module', '-e', script(prepare)];
  const [young = 0, old = 0] = execFileSync(process.execPath, arguments_, { encoding: 'utf8' })
    .split(' ')
    .map(Number);
  return { young, old };
}

test('the heap grows to what pays and no further, where V8 would let it', () => {
  const limited = roomOf('limitHeapGrowth();');
  const unlimited = roomOf('');
  // V8 doubles the room for young objects, and counts pages beyond it while it collects.
  expect(limited.young).toBeGreaterThanOrEqual(16);
  expect(limited.young).toBeLessThan(48);
  expect(unlimited.young).toBeGreaterThan(64);
  expect(limited.old).toBeLessThan(110);
  expect(unlimited.old).toBeGreaterThan(110);
});
