import { expect, test } from 'vitest';
import { generateApiKey } from './api-key.ts';
import { createRedactor } from './redact-keys.ts';

const key = generateApiKey();
/** A key of the configuration, which may have any form. */
const known = 'a-key.of+the~configuration=';
const percentEncoded = (text: string) =>
  Array.from(text, (character) => `%${character.charCodeAt(0).toString(16)}`).join('');

test.each([
  ['a key', key],
  ['a truncated key', key.slice(0, 10)],
  ['a key with one percent-encoded character', key.replace('_', '%5F')],
  ['a key that is percent-encoded three times', encodeURIComponent(encodeURIComponent(percentEncoded(key)))],
])('%s in a text is redacted', (_what, written) => {
  expect(createRedactor()(`/v1/pets/${written}/a, ${written}`)).toBe('/v1/pets/pst_REDACTED/a, pst_REDACTED');
});

const withoutKey = ['/v1/pets/1', 'pst', 'pst_', '100 %', '/v1/pets/%70', '/v1/pets?name=Buster_1'];
test.each(withoutKey)('the text %s is not redacted', (text) => {
  expect(createRedactor([known])(text)).toBe(text);
});

test('a known key is redacted whatever its form, and also where it is percent-encoded', () => {
  const others = ['another-configured-key', `${known}/longer`, 'pst_with-a-hyphen'];
  const redact = createRedactor([known, ...others]);
  for (const written of [known, percentEncoded(known), encodeURIComponent(known), ...others])
    expect(redact(`/v1/pets/${written}/a`)).toBe('/v1/pets/pst_REDACTED/a');
});

test('a long path takes about the same time with a thousand known keys as with none', () => {
  const measure = (keyCount: number) => {
    const redact = createRedactor(Array.from({ length: keyCount }, generateApiKey));
    const start = performance.now();
    redact('/%25'.repeat(4_000));
    return performance.now() - start;
  };
  const fastest = (keyCount: number) => Math.min(...Array.from({ length: 5 }, () => measure(keyCount)));
  // If the pattern of each key ran, a path would take more than 1,000 times as long.
  expect(fastest(1_000)).toBeLessThan(20 * fastest(0));
});
