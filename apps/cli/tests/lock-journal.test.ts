import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { temporaryFolder } from '@petstore/test-support/files';
import { expect, test } from 'vitest';
import { exitCodes } from '../src/exit-code.ts';
import { animals } from './animals.ts';
import { startMemoryService } from './memory-service.ts';

const ROUNDS = 40;

/** Locks each journal that it is told, at the moment that it is told. */
const CONTENDER = `
  import { lockJournal } from '${new URL('../dist/lock-journal.js', import.meta.url)}';
  process.on('message', async ({ journal, at }) => {
    while (Date.now() < at);
    process.send(await lockJournal(journal).then(() => 'locked', ({ message }) => message));
  });
  process.send('ready');`;

const hear = async (child: ChildProcess): Promise<unknown> => (await once(child, 'message'))[0];

/** The lock of a process that was killed. */
const staleLock = () =>
  JSON.stringify({ pid: spawnSync('true').pid, host: hostname(), lockId: crypto.randomUUID() });

test('one of several processes takes a stale lock that they find in the same instant', async () => {
  await using folder = await temporaryFolder();
  const contenders = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--input-type=module', '--eval', CONTENDER], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    }),
  );
  try {
    await Promise.all(contenders.map(hear));
    for (let round = 0; round < ROUNDS; round += 1) {
      const journal = folder.file(`${round}.journal`);
      writeFileSync(`${journal}.lock`, staleLock());
      const outcomes = contenders.map(hear);
      for (const contender of contenders) contender.send({ journal, at: Date.now() + 10 });
      const messages = await Promise.all(outcomes);
      expect(messages.filter((message) => message === 'locked')).toHaveLength(1);
      expect(messages.filter((message) => /uses .+: wait for it to end/.test(String(message)))).toHaveLength(
        3,
      );
    }
    // What they locked to replace the locks is gone.
    expect(readdirSync(folder.path)).toHaveLength(ROUNDS);
  } finally {
    for (const contender of contenders) contender.kill();
  }
});

test('a lock is taken from a process that was killed while it took it from another one', async () => {
  await using service = await startMemoryService();
  const file = service.folder.file('animals.ndjson');
  writeFileSync(file, animals(5));
  const stale = staleLock();
  writeFileSync(`${file}.journal.lock`, stale);
  writeFileSync(`${file}.journal.lock.${JSON.parse(stale).lockId}`, staleLock());
  expect((await service.run(['import', file])).stdout).toBe('5 added, 0 refused\n');
  expect(readdirSync(service.folder.path).toSorted()).toEqual(['animals.ndjson', 'animals.ndjson.journal']);
});

test('a lock that is no file of pets is not taken', async () => {
  await using service = await startMemoryService();
  const file = service.folder.file('animals.ndjson');
  const lock = `${file}.journal.lock`;
  writeFileSync(file, animals(5));
  for (const text of ['', '{}', '{"pid":-1,"host":"h","lockId":"../x"}', 'x'.repeat(100_000)]) {
    writeFileSync(lock, text);
    expect(await service.run(['import', file])).toMatchObject({
      code: exitCodes.notResumable,
      stderr: expect.stringContaining(`If it is no import or export, delete ${lock}`),
    });
    expect(existsSync(lock)).toBe(true);
  }
});

test('pets import refuses to run while another process imports the file, and not once it has ended', async () => {
  const isHeld = Promise.withResolvers<void>();
  const mayRespond = Promise.withResolvers<void>();
  await using service = await startMemoryService({
    wrap: (fetch) => async (url, init) => {
      isHeld.resolve();
      await mayRespond.promise;
      return fetch(url, init);
    },
  });
  const file = service.folder.file('animals.ndjson');
  writeFileSync(file, animals(5));
  const first = service.run(['import', file]);
  await isHeld.promise;
  expect(await service.run(['import', file])).toMatchObject({
    code: exitCodes.notResumable,
    stderr: expect.stringMatching(/^pets: Process \d+ on .+ uses .+: wait for it to end\. .+\.lock\n$/),
  });
  mayRespond.resolve();
  expect(await first).toMatchObject({ code: 0, stdout: '5 added, 0 refused\n' });
  expect(await service.run(['import', file])).toMatchObject({ code: 0 });
});
