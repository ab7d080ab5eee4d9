import { expect, test } from 'vitest';
import { createRedactor, generateApiKey, hashApiKey, isWellFormedApiKey } from './api-key.ts';

test('a key has its prefix, 190 bits of base62 and a checksum, and no two keys are equal', () => {
  const keys = Array.from({ length: 1_000 }, generateApiKey);
  expect(keys.every((key) => /^pst_[0-9A-Za-z]{38}$/.test(key) && isWellFormedApiKey(key))).toBe(true);
  expect(new Set(keys).size).toBe(1_000);
  expect(new Set(keys.join('')).size).toBe(62 + 1);
});

test('a key with a typing error is not well-formed', () => {
  const key = generateApiKey();
  const slips = Array.from({ length: key.length }, (_, index) => {
    const other = key[index] === 'x' ? 'y' : 'x';
    return key.slice(0, index) + other + key.slice(index + 1);
  });
  for (const slip of [...slips, key.slice(1), `${key}0`, '', 'pst_'])
    expect(isWellFormedApiKey(slip)).toBe(false);
});

test('the digest is SHA-256 in base64url', () => {
  expect(hashApiKey('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
});

const key = generateApiKey();
const percentEncoded = (text: string) =>
  Array.from(text, (character) => `%${character.charCodeAt(0).toString(16)}`).join('');

test.each([
  ['as it is', key],
  ['cut off', key.slice(0, 10)],
  ['with one character percent-encoded', key.replace('_', '%5F')],
  ['percent-encoded as a whole', percentEncoded(key)],
  ['percent-encoded twice', encodeURIComponent(percentEncoded(key))],
])('a key in a text is redacted %s', (_how, written) => {
  expect(createRedactor()(`/v1/pets/${written}/a, ${written}`)).toBe('/v1/pets/pst_REDACTED/a, pst_REDACTED');
});

test.each(['/v1/pets/1', 'pst', 'pst_', '100 %', '/v1/pets/%70', '/v1/pets?name=Buster_1'])(
  'the text %s is not redacted',
  (text) => {
    expect(createRedactor(['a-key.of+the~configuration='])(text)).toBe(text);
  },
);

test('a known key is redacted whatever its form, and also where it is percent-encoded', () => {
  const known = 'a-key.of+the~configuration=';
  const redact = createRedactor(['another-key-of-it', known]);
  for (const written of [known, percentEncoded(known), encodeURIComponent(known), 'another-key-of-it']) {
    expect(redact(`/v1/pets/${written}/a`)).toBe('/v1/pets/pst_REDACTED/a');
  }
});
