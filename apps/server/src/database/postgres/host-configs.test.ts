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
