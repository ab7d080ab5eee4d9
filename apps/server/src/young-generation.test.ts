import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** A process whose young objects live for a while, turn after turn; it prints the most room that they had, in MB. */
const script = (prepare: string) => `
import { setImmediate } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { limitYoungGeneration } from '${new URL('young-generation.ts', import.meta.url)}';
${prepare}
const kept = [];
let most = 0;
for (let turn = 0; turn < 400; turn += 1) {
  kept[turn % 20] = Array.from({ length: 5_000 }, (_, index) => ({ index }));
  await setImmediate();
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  most = Math.max(most, space.space_size);
}
console.log(most / 2 ** 20);
`;

const roomOf = (prepare: string) =>
  Number(
    execFileSync(process.execPath, ['--input-type=module', '-e', script(prepare)], { encoding: 'utf8' }),
  );

test('the room for young objects grows to what pays and no further, where V8 would let it', () => {
  // V8 doubles it, and counts pages beyond it while it collects.
  const limited = roomOf('limitYoungGeneration();');
  expect(limited).toBeGreaterThanOrEqual(8);
  expect(limited).toBeLessThan(16);
  expect(roomOf('')).toBeGreaterThan(16);
});
