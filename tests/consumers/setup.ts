import { temporaryFolder } from '@petstore/test-support/files';
import { FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import type { TestProject } from 'vitest/node';
import { startRegistry } from './registry.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A registry that has our packages and all others. */
    registryUrl: string;
    /** The base address of a running service, which pages of every origin may call. */
    baseUrl: string;
    apiKey: string;
  }
}

/** Starts one registry and one service for all files of the consumer tests. */
export default async function setup({ provide }: TestProject) {
  const stack = new AsyncDisposableStack();
  const registry = stack.use(await startRegistry());
  const folder = stack.use(await temporaryFolder());
  const server = stack.use(
    await startServer({ DATABASE_URL: `sqlite:${folder.file('petstore.db')}`, CORS_ORIGINS: '*' }),
  );
  provide('registryUrl', registry.url);
  provide('baseUrl', server.baseUrl);
  provide('apiKey', FIXED_KEY);
  return () => stack.disposeAsync();
}
