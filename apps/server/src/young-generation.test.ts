import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** A process whose young objects live for a while, turn after turn; it prints the room that they have, in MB. */
const script = (prepare: string) => `
import { setImmediate } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { limitYoungGeneration } from '${new URL('young-generation.ts', import.meta.url)}';
${prepare}
const kept = [];
for (let turn = 0; turn < 400; turn += 1) {
  kept[turn % 20] = Array.from({ length: 5_000 }, (_, index) => ({ index }));
  await setImmediate();
}
const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
console.log(space.space_size / 2 ** 20);
`;

const roomOf = (prepare: string) =>
  Number(
    execFileSync(process.execPath, ['--input-type=module', '-e', script(prepare)], { encoding: 'utf8' }),
  );

test('the room for young objects stays at what pays, where V8 would let it grow', () => {
  expect(roomOf('limitYoungGeneration();')).toBe(8);
  expect(roomOf('')).toBeGreaterThan(8);
});
