import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { temporaryFolder } from '@petstore/test-support/files';
import { expect, test } from 'vitest';
import { type Config, readConfig, variables } from './config.ts';

/** The lines of the error for an environment. */
function faultsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    return String(error).replace('Error: ', '').split('\n');
  }
}

const accepted: (readonly [keyof Config, string, unknown])[] = [
  ['PUBLIC_BASE_URL', 'https://例え.jp/日本/a>b/v1', 'https://xn--r8jz45g.jp/%E6%97%A5%E6%9C%AC/a%3Eb/v1'],
  ['PUBLIC_BASE_URL', 'http://[::1]:3000/v1', 'http://[::1]:3000/v1'],
  ['CORS_ORIGINS', 'http://a.example:80/, http://b.example:81', ['http://a.example', 'http://b.example:81']],
  ['CORS_ORIGINS', 'https://A.example,https://例え.jp', ['https://a.example', 'https://xn--r8jz45g.jp']],
  ['CORS_ORIGINS', '*', ['*']],
  ['TRUSTED_PROXIES', '10.0.0.1, 10.0.0.0/8,::1,db8::/32', ['10.0.0.1', '10.0.0.0/8', '::1', 'db8::/32']],
  ['TRUSTED_PROXIES', '0:0:0:0:0:ffff:10.0.0.1', ['0:0:0:0:0:ffff:10.0.0.1']],
  ...['::', 'fe80::1%eth0', 'pets_1.example.', '1st.example'].map((host) => ['HOST', host, host] as const),
  ['DATABASE_URL', 'sqlite:some data/a.db', { engine: 'sqlite', file: resolve('some data/a.db') }],
  ['DATABASE_IDLE_TIMEOUT_MS', '86400000', 86_400_000], // One day.
  ['RATE_LIMIT', '600/60', { requests: 600, seconds: 60 }],
];

test.each(accepted)('%s=%s is read as %j', (name, given, value) => {
  expect(readConfig({ [name]: given })[name]).toEqual(value);
});

const refused: Record<string, string[]> = {
  PUBLIC_BASE_URL: ['https://token@a.example/v1', 'https://:password@a.example/v1'],
  STAGING_BASE_URL: ['http://a/a,b/v1', 'http://a/v1?x', 'http://a', 'ftp://a/v1'],
  CORS_ORIGINS: ['https://a.example/shop', 'a.example', 'null', 'https://*.example', 'https://a.example,'],
  TRUSTED_PROXIES: ['10.0.0', '10.0.0.0/33', '10.0.0.1/', '::/129', '::/0', '::1.2.3.4', 'a.example', '::1,'],
  HOST: ['10.0.0.256', '[::1]', 'two names', 'a..example', 'http://a.example'],
  PORT: ['http', '9'.repeat(30)],
  DATABASE_URL: [
    'sqlite::memory:',
    'sqlite: a.db',
    'mysql://a/db',
    'postgres://a,b:x/db',
    'postgres://a/db?target_session_attrs=standby',
    'postgres://a/db?sslmode=prefer',
  ],
  DATABASE_CONNECT_TIMEOUT_MS: ['15001'],
  DATABASE_STATEMENT_TIMEOUT_MS: ['15001'],
  API_KEYS: ['one-key-that-is-long-enough,two words of a key', 'one-key-that-is-long-enough,short-key,key'],
  RATE_LIMIT: ['600', '600/', '0/60', '600/0', '6e2/60', '600/60s', '600/86401', `${'9'.repeat(30)}/1`],
};

const cases = Object.entries(refused).flatMap(([name, values]) => values.map((given) => ({ name, given })));
test.each(cases)('$name=$given is refused with one line', ({ name, given }) => {
  expect(() => readConfig({ [name]: given })).toThrow(new RegExp(`^${name}: [a-z][^\n]+$`));
});

test('the faults of all variables are told at once, each in a line', () => {
  const faults = faultsOf(Object.fromEntries(variables.map((name) => [name, '∅'])));
  for (const fault of faults) expect(fault).toMatch(/^[A-Z_]+: [a-zA-Z].+$/);
  expect(new Set(faults.map((fault) => fault.split(':')[0]))).toEqual(new Set(variables));
});

test('a secret can be in a file, whose line may end with a line break, but not in its variable as well', async () => {
  await using folder = await temporaryFolder();
  const [url, keys] = [folder.file('url'), folder.file('keys')];
  writeFileSync(url, 'sqlite:/data/petstore.db\n');
  writeFileSync(keys, 'one-key-in-a-file,another-key-in-a-file\r\n');
  const environment = { NODE_ENV: 'production', DATABASE_URL_FILE: url, API_KEYS_FILE: keys, API_KEYS: '' };
  const { DATABASE_URL, API_KEYS } = readConfig(environment);
  expect(DATABASE_URL).toEqual({ engine: 'sqlite', file: '/data/petstore.db' });
  expect(API_KEYS).toEqual(['one-key-in-a-file', 'another-key-in-a-file']);
  const both = (file: string) => ({ ...environment, DATABASE_URL: 'sqlite:a.db', DATABASE_URL_FILE: file });
  const fault = 'DATABASE_URL_FILE: DATABASE_URL is set as well; set one of them';
  expect(faultsOf(both(url))).toEqual([fault]);
  expect(faultsOf(both('/none'))).toEqual([fault, 'DATABASE_URL_FILE: the file cannot be read: ENOENT']);
});

test.each([
  ['is missing', undefined, /^API_KEYS_FILE: the file cannot be read: ENOENT$/],
  ['is empty', '\n', / must have one line$/],
  ['has several lines', 'one-key-in-a-file\nanother-key-in-a-file\n', / must have one line$/],
  ['is short', 'short', /^API_KEYS_FILE: the text in \/.*\/keys must be keys of at least 16 characters$/],
])('a file of keys that %s is refused, and hides no fault of another variable', async (_, text, fault) => {
  await using folder = await temporaryFolder();
  if (text !== undefined) writeFileSync(folder.file('keys'), text);
  const environment = { NODE_ENV: 'production', API_KEYS_FILE: folder.file('keys'), DOCS: 'yes' };
  const ofOthers = ['DOCS: must be one of on, off', expect.stringMatching(/^DATABASE_URL: must be set/)];
  expect(faultsOf(environment)).toEqual([expect.stringMatching(fault), ...ofOthers]);
});
