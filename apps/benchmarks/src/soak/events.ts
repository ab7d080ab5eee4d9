import { setTimeout as sleep } from 'node:timers/promises';
import type { Callers } from './callers.ts';
import type { Disk } from './disk.ts';
import type { Ledger } from './ledger.ts';
import { petstore } from './server-under-test.ts';
import { newestIdOf, type SoakService } from './service.ts';

/** What events happen to. */
export interface Stage {
  service: SoakService;
  disk: Disk;
  ledger: Ledger;
  callers: Callers;
  /** The length of the run, in seconds. */
  seconds: number;
  /** Attempts that failed so far because the database did not take them. */
  refused(): number;
}

export interface SoakEvent {
  name: string;
  /** When it begins, as a part of the run. */
  at: number;
  happen(): Promise<void>;
}

/** The longest that a running server needs to follow what a command has changed in the keys. */
const KEYS_FOLLOW_MS = 30_000;
const FULL_DISK_MS = 120_000;

/**
 * What happens in the course of a run. Ids ascend in the order of the commits, so that a backup and the service restored
 * from it have all pets up to the highest id in it, and no others. The second quarter and the last are left without restarts, so that their memory
 * can be compared.
 */
export function planEvents(stage: Stage): SoakEvent[] {
  const { service, disk, ledger } = stage;
  let backup = '';
  const events: SoakEvent[] = [
    {
      name: 'kill -9',
      at: 0.06,
      async happen() {
        await service.server.kill();
        await service.server.start();
      },
    },
    {
      name: 'backup',
      at: 0.12,
      async happen() {
        const { newestId } = ledger;
        backup = await service.backUp();
        const newest = newestIdOf(backup);
        if (newest < newestId)
          ledger.add('lost', `the backup ends at ${newest}, ${newestId} was acknowledged`);
      },
    },
    {
      name: 'restore',
      at: 0.18,
      async happen() {
        await service.server.stop();
        await service.restore(backup);
        ledger.takeBack(newestIdOf(backup));
        await service.server.start();
      },
    },
    { name: 'key rotation', at: 0.35, happen: () => rotateKey(stage) },
    { name: 'failover', at: 0.53, happen: () => service.failOver() },
  ];
  const { fill } = disk;
  if (fill === undefined) return events;
  return [...events, { name: 'full disk', at: 0.63, happen: () => fillDisk(stage, fill) }];
}

/** Callers get the new key within the grace period; afterwards the old one must be refused. */
async function rotateKey({ service, callers, seconds }: Stage): Promise<void> {
  const graceSeconds = Math.max(4, Math.round(seconds / 60));
  const old = callers.apiKey;
  const key = await petstore(
    service.databaseUrl(),
    'keys',
    'rotate',
    'benchmarks',
    '--grace',
    `${graceSeconds}s`,
  );
  await sleep(graceSeconds * 500);
  callers.apiKey = key;
  await until(
    async () => (await statusFor(old, service.server.port)) === 401,
    graceSeconds * 1_000 + KEYS_FOLLOW_MS,
    'the old API key is still accepted',
  );
}

/** Lasts until callers have felt it, and then for a while. */
async function fillDisk(
  { disk, service, seconds, refused }: Stage,
  fill: () => Promise<void>,
): Promise<void> {
  const before = refused();
  await fill();
  try {
    await until(async () => refused() > before, FULL_DISK_MS, 'no creation was refused on a full disk');
    await sleep(Math.min(20_000, seconds * 20));
  } finally {
    await disk.free();
  }
  await service.recover();
}

async function statusFor(apiKey: string, port: number): Promise<number> {
  const headers = { Authorization: `Bearer ${apiKey}` };
  const response = await fetch(`http://127.0.0.1:${port}/v1/pets?limit=1`, { headers });
  await response.body?.cancel();
  return response.status;
}

/** @throws Error when it does not come in time */
async function until(hasCome: () => Promise<boolean>, timeoutMs: number, failure: string): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await hasCome())) {
    if (performance.now() > end) throw new Error(`After ${timeoutMs} ms ${failure}`);
    await sleep(200);
  }
}
