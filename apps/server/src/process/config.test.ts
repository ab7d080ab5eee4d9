import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { v1 } from '@petstore/contract';
import { temporaryFolder } from '@petstore/test-support/files';
import { describe, expect, test } from 'vitest';
import { Urls } from '../http/urls.ts';
import { readConfig, variables } from './config.ts';

/** The lines of the error for an environment. */
function faultsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    return String(error).replace('Error: ', '').split('\n');
  }
}

describe('a base URL must fit into a header', () => {
  test.each([
    ['https://例え.jp/v1', 'https://xn--r8jz45g.jp/v1'],
    ['https://a.example/pet store/日本/a>b/v1', 'https://a.example/pet%20store/%E6%97%A5%E6%9C%AC/a%3Eb/v1'],
    ['http://[::1]:3000/v1', 'http://[::1]:3000/v1'],
  ])('%s is normalized', (given, base) => {
    const { PUBLIC_BASE_URL } = readConfig({ PUBLIC_BASE_URL: given });
    expect(PUBLIC_BASE_URL).toBe(base);
    const urls = new Urls(v1.prefix, PUBLIC_BASE_URL);
    new Headers({ Location: urls.base, Link: urls.nextPage('/pets', { limit: 1, after: 1 }) });
  });

  test.each([
    'https://user:secret@a.example/v1',
    'https://a.example/a,b/v1',
    'https://a.example/v1?x',
    'https://a.example',
    'ftp://a.example/v1',
  ])('%s is refused', (given) => {
    expect(() => readConfig({ STAGING_BASE_URL: given })).toThrow(/^STAGING_BASE_URL: must [^\n]+$/);
  });
});

describe('an origin must have the form that browsers send', () => {
  test.each([
    ['https://A.example', ['https://a.example']],
    ['https://a.example:443, http://a.example:80/', ['https://a.example', 'http://a.example']],
    ['https://例え.jp,http://localhost:5173', ['https://xn--r8jz45g.jp', 'http://localhost:5173']],
    ['*', ['*']],
  ])('%s is normalized', (given, origins) => {
    expect(readConfig({ CORS_ORIGINS: given }).CORS_ORIGINS).toEqual(origins);
  });

  test.each(['https://a.example/shop', 'a.example', 'null', 'https://*.example', 'https://a.example,'])(
    '%s is refused',
    (given) => {
      expect(() => readConfig({ CORS_ORIGINS: given })).toThrow(/^CORS_ORIGINS: must be origins [^\n]+$/);
    },
  );
});

test.each(['10.0.0.1', '10.0.0.0/8', '::1', '2001:db8::/32'])(
  '%s is accepted as a trusted proxy',
  (given) => {
    expect(readConfig({ TRUSTED_PROXIES: given }).TRUSTED_PROXIES).toEqual([given]);
  },
);

test.each(['10.0.0', '10.0.0.0/33', '10.0.0.1/', '::/129', 'proxy.example', '10.0.0.1,'])(
  '%s is refused as a trusted proxy',
  (given) => {
    expect(() => readConfig({ TRUSTED_PROXIES: given })).toThrow(/^TRUSTED_PROXIES: must be addresses /);
  },
);

test('a relative path of a database file is resolved against the working directory at the start', () => {
  const { DATABASE_URL } = readConfig({ DATABASE_URL: 'sqlite:some data/petstore.db' });
  expect(DATABASE_URL).toEqual({ engine: 'sqlite', file: resolve('some data/petstore.db') });
});

test.each([
  ['PORT', 'http'],
  ['DATABASE_URL', 'mysql://x'],
  ['LOG_LEVEL', 'loud'],
  ['NODE_ENV', 'prod'],
  ...['10.0.0.256', '[::1]', 'two names', 'a..example', 'http://a.example'].map((host) => ['HOST', host]),
  ['API_KEYS', 'one-key-that-is-long-enough,two words of a key'],
  ['API_KEYS', 'one-key-that-is-long-enough,short-key'],
  ...['600', '600/', '0/60', '600/0', '6e2/60', '600/60s', '600/86401'].map((rate) => ['RATE_LIMIT', rate]),
  ['PORT', '9'.repeat(30)],
  ['RATE_LIMIT', `${'9'.repeat(30)}/1`],
])('%s=%s is refused with one line', (name, given) => {
  const environment = { [name]: given, PORT_FILE: '/etc/port' };
  expect(() => readConfig(environment)).toThrow(new RegExp(`^${name}: [a-z][^\n]+$`));
});

test.each(['0.0.0.0', '::', 'fe80::1%eth0', 'localhost', 'pets_1.example.', '1password.example'])(
  '%s is accepted as HOST',
  (host) => {
    expect(readConfig({ HOST: host }).HOST).toBe(host);
  },
);

test('the faults of all variables are told at once, each in a line', () => {
  const faults = faultsOf(Object.fromEntries(variables.map((name) => [name, '∅'])));
  for (const fault of faults) expect(fault).toMatch(/^[A-Z_]+: [a-zA-Z].+$/);
  expect(new Set(faults.map((fault) => fault.split(':')[0]))).toEqual(new Set(variables));
});

describe('a secret can be in a file', () => {
  const KEY = 'a-key-that-is-in-a-file';

  test('whose line may end with a line break', async () => {
    await using folder = await temporaryFolder();
    const [url, keys] = [folder.file('url'), folder.file('keys')];
    writeFileSync(url, 'sqlite:/data/petstore.db\n', { mode: 0o400 });
    writeFileSync(keys, `${KEY},another-key-in-a-file\r\n`, { mode: 0o400 });
    const environment = { NODE_ENV: 'production', DATABASE_URL_FILE: url, API_KEYS_FILE: keys, API_KEYS: '' };
    const { DATABASE_URL, API_KEYS } = readConfig(environment);
    expect(DATABASE_URL).toEqual({ engine: 'sqlite', file: '/data/petstore.db' });
    expect(API_KEYS).toEqual([KEY, 'another-key-in-a-file']);
  });

  test.each([
    ['is empty', '\n', / must have one line$/],
    ['has several lines', `${KEY}\n${KEY}2\n`, / must have one line$/],
    ['has a bad value', 'short', /^API_KEYS_FILE: the text in .* must be keys of at least 16 characters$/],
  ])('but not if the file %s', async (_what, text, fault) => {
    await using folder = await temporaryFolder();
    writeFileSync(folder.file('keys'), text);
    const faults = faultsOf({ API_KEYS_FILE: folder.file('keys') });
    expect(faults).toEqual([expect.stringMatching(fault)]);
  });

  test('but not beside its variable, and a fault of a file does not hide the faults of other variables', () => {
    const twice = { DATABASE_URL: 'sqlite:a.db', DATABASE_URL_FILE: 'url' };
    const missing = { NODE_ENV: 'production', API_KEYS_FILE: '/none/keys', PORT: 'http' };
    const faults = [/^API_KEYS_FILE: ENOENT/, /^PORT: must be digits$/, /^DATABASE_URL: must be set/];
    expect(faultsOf(twice)).toEqual(['DATABASE_URL_FILE: DATABASE_URL is set as well; set one of them']);
    expect(faultsOf(missing)).toEqual(faults.map((fault) => expect.stringMatching(fault)));
  });
});

test('RATE_LIMIT is a number of requests and a number of seconds', () => {
  expect(readConfig({ RATE_LIMIT: '600/60' }).RATE_LIMIT).toEqual({ requests: 600, seconds: 60 });
});
