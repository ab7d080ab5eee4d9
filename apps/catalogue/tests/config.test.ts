import { writeFileSync } from 'node:fs';
import { temporaryFolder } from '@petstore/test-support/files';
import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { startCatalogue } from './support/app.ts';

const REQUIRED = { PETSTORE_BASE_URL: 'http://pets.example/v1', PETSTORE_API_KEY: 'key' };

test.each([
  [{ PETSTORE_BASE_URL: '' }, 'PETSTORE_BASE_URL is required'],
  [{ PETSTORE_BASE_URL: 'pets.example/v1' }, 'PETSTORE_BASE_URL must be an http(s) URL that ends with /v1'],
  [{ PETSTORE_BASE_URL: 'http://pets.example' }, 'PETSTORE_BASE_URL must be an http(s) URL'],
  [{ PETSTORE_API_KEY: '' }, 'PETSTORE_API_KEY or PETSTORE_API_KEY_FILE is required'],
  [{ PETSTORE_API_KEY_FILE: '/none' }, 'PETSTORE_API_KEY_FILE must be a file'],
  [{ PORT: '70000' }, 'PORT must be an integer from 0 to 65535'],
  [{ PORT: 'http' }, 'PORT must be an integer from 0 to 65535'],
  [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES must be addresses or networks'],
  [{ TRUSTED_USER_HEADER: 'a b' }, 'TRUSTED_USER_HEADER must be the name of a header'],
  [{ CATEGORIES_FILE: '/none' }, 'CATEGORIES_FILE /none must be JSON'],
])('%o is refused with its name and what is allowed', (environment, message) => {
  expect(() => readConfig({ ...REQUIRED, ...environment })).toThrow(message);
});

test.each([
  ['[]', 'a name for each number'],
  ['{"7": "Dogs",\n', 'SyntaxError'],
  ['{"seven": "Dogs"}', 'a name for each number'],
  ['{"9223372036854775808": "Dogs"}', 'a name for each number'],
  ['{"7": 7}', 'a name for each number'],
  ['{"7": " "}', 'a name for each number'],
])('the categories %s are refused in one line with the name of the file', async (content, message) => {
  await using folder = await temporaryFolder();
  const CATEGORIES_FILE = folder.file('categories.json');
  writeFileSync(CATEGORIES_FILE, content);
  const read = () => readConfig({ ...REQUIRED, CATEGORIES_FILE });
  expect(read).toThrow(message);
  expect(read).toThrow(/^CATEGORIES_FILE \/.*categories\.json must be JSON.*$/);
});

test.each([
  [{ PETSTORE_BASE_URL: '' }, 'PETSTORE_BASE_URL is required'],
  [{ PETSTORE_BASE_URL: 'http://a:b@pets.example/v1' }, '.*must not contain a user name or a password.*'],
  [{ PETSTORE_BASE_URL: 'http://pets.example/v1', HOST: '203.0.113.1' }, '.*EADDRNOTAVAIL.*'],
])('a start with %o ends with one line and code 1', async (environment, line) => {
  const end = new RegExp(`ended with 1: catalogue: ${line}\\n$`);
  await expect(startCatalogue(environment)).rejects.toThrow(end);
});
