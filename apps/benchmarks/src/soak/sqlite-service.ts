import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seedSqlite } from '../data/seed.ts';
import { petstore, ServerUnderTest } from './server-under-test.ts';
import type { ServicePlace, SoakService } from './service.ts';

/** How long the process hangs before it is replaced. */
const HANG_MS = 3_000;

export async function startSqliteService({ disk, pets, file, log }: ServicePlace): Promise<SoakService> {
  const database = join(disk, 'petstore.db');
  const url = `sqlite:${database}`;
  const apiKey = seedSqlite(database, pets);
  const server = await ServerUnderTest.start(log, url);
  return {
    server,
    apiKey,
    databaseUrl: () => url,
    async backUp() {
      const backup = file('backup.db');
      await petstore(url, 'backup', backup);
      return backup;
    },
    async restore(backup) {
      await petstore(url, 'restore', '--replace', backup);
    },
    async failOver() {
      if (server.pid !== undefined) process.kill(server.pid, 'SIGSTOP');
      await sleep(HANG_MS);
      await server.kill();
      await server.start();
    },
    recover: async () => {},
    measureDisk: async () => ({ database: sizeOf(database), writeAheadLog: sizeOf(`${database}-wal`) }),
    writeAheadLogLimit: 64 * 2 ** 20,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
