import { expect, test } from 'vitest';
import { parseCores } from './cores.ts';

test.each([
  ["pid 7's current affinity list: 0,1\n", [0, 1]],
  ["pid 7's current affinity list: 0-3,8", [0, 1, 2, 3, 8]],
  ["pid 7's current affinity list: 5", [5]],
  ['', []],
])('%j names the cores %j', (printed, cores) => {
  expect(parseCores(printed)).toEqual(cores);
});
