import { expect, test } from 'vitest';
import { excluded, findMutants, shuffleMutants } from './mutants.ts';

test.each([
  ['if (a) stop();', [';', 'if (!(a)) stop();', 'if (a) ;']],
  ['f(a < 9 ? b : c);', [';', 'f(!(a < 9) ? b : c);', 'f(a <= 9 ? b : c);', 'f(a < 10 ? b : c);']],
  ['f(!a && 10n);', [';', 'f(a && 10n);', 'f(!a || 10n);', 'f(!a && 100n);']],
  ['await end();', [';', 'end();']],
  ["export const b = a ?? '';", ["export const b = '';", "export const b = a ?? 'x';"]],
  ['export const b = { a: true, };', ['export const b = {  };', 'export const b = { a: false, };']],
  ['f(<p class="a" id="b" />);', [';', `f(<p class="a" id='' />);`]],
  ['export const b = [a, c];', ['export const b = [ c];', 'export const b = [a, ];']],
])('findMutants makes of %s the edits %j', (text, edits) => {
  const made = findMutants('file.tsx', text).filter(({ operator }) => !excluded.has(operator));
  const edited = made.map(
    ({ start, before, after }) => text.slice(0, start) + after + text.slice(start + before.length),
  );
  expect(edited.toSorted()).toEqual(edits.toSorted());
});

test('shuffleMutants returns the same order for the same seed, whatever order the mutants had, and another order for another seed', () => {
  const mutants = findMutants('file.ts', 'export const primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29];');
  const drawn = shuffleMutants(mutants, '1');
  expect(new Set(drawn)).toEqual(new Set(mutants));
  expect(shuffleMutants(mutants.toReversed(), '1')).toEqual(drawn);
  expect(shuffleMutants(mutants, '2')).not.toEqual(drawn);
});
