import { expect, test } from 'vitest';
import { hostConfigs } from './host-configs.ts';

test.each([
  ['disable', false],
  ['require', { rejectUnauthorized: false }],
  ['verify-ca&sslrootcert=package.json', { ca: expect.anything(), checkServerIdentity: expect.anything() }],
  ['verify-full', {}],
])('sslmode=%s means what it means to libpq', (mode, ssl) => {
  const [config] = hostConfigs({ url: `postgres://db.example/pets?sslmode=${mode}` });
  expect(config?.ssl).toEqual(ssl);
});

test('a changed password is read again, but another user counts only from the next start', () => {
  const urls = ['postgres://old:2@a/b', 'postgres://new:3@a/b'];
  const [config] = hostConfigs({ url: 'postgres://old:1@a/b', readUrl: () => urls.shift() ?? '' });
  const read = () => typeof config?.password === 'function' && config.password();
  expect([read(), read()]).toEqual(['2', '2']);
});
