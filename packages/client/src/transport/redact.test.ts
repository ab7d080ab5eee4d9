import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { redactError, redactHeaders, redactJson } from './redact.ts';

const apiKey = 'pst_secret';

test('redactError copies the name, message, code, stack and causes of an error without the key', () => {
  const inner = Object.assign(new TypeError(`no ${apiKey}`), { code: apiKey, data: Buffer.from(apiKey) });
  const copy = redactError(new RangeError(apiKey, { cause: inner }), apiKey);
  expect(copy).toMatchObject({ name: 'RangeError', message: '[API key]' });
  expect(copy.stack).toContain('redact.test.ts');
  expect(copy.cause).toMatchObject({ name: 'TypeError', message: 'no [API key]', code: '[API key]' });
  expect(copy.cause).not.toHaveProperty('data');
  expect(inspect(copy, { depth: null, showHidden: true })).not.toContain(apiKey);
});

test('redactJson copies numbers exactly, and finds a key that JSON writes with escapes', () => {
  const key = '"secret\\';
  const json = { id: 2n ** 63n, list: [1, null, true, `a ${key}`], [key]: {} };
  const redacted = { id: 2n ** 63n, list: [1, null, true, 'a [API key]'], '[API key]': {} };
  expect(redactJson(json, key)).toEqual(redacted);
});

test('a key shorter than six characters is not redacted', () => {
  expect(redactJson('a store', 'store')).toBe('a store');
  expect(redactJson('a secret', 'secret')).toBe('a [API key]');
  expect(redactHeaders(new Headers({ link: '</store>' }), 'store').get('link')).toBe('</store>');
});
