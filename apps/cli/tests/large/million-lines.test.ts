import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pet, parseJson } from '@petstore/contract';
import { temporaryFolder } from '@petstore/test-support/files';
import { findFreePort } from '@petstore/test-support/servers/free-port';
import { startServer } from '@petstore/test-support/servers/server-process';
import { expect, test } from 'vitest';
import { animal, isRefused, refusedLines } from '../animals.ts';
import { startPets } from '../run-pets.ts';
import { watchMemory } from './watch-memory.ts';

const LINES = Number(process.env.LINES ?? 1_000_000);
const REFUSED = refusedLines(LINES);

const MAX_MEBIBYTES = 400;

/** At which share of the lines a process is killed. */
const KILLS: readonly [number, 'command' | 'service'][] = [
  [0.1, 'command'],
  [0.2, 'service'],
  [0.3, 'command'],
  [0.4, 'service'],
  [0.5, 'command'],
  [0.6, 'service'],
  [0.7, 'command'],
  [0.9, 'command'],
];

test(`${LINES} lines are imported once each while processes are killed, and exported, in constant memory`, async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('animals.ndjson');
  await pipeline(function* () {
    for (let line = 1; line <= LINES; line += 1) yield animal(line);
  }, createWriteStream(file));

  const port = await findFreePort();
  const start = () =>
    startServer({ DATABASE_URL: `sqlite:${folder.file('petstore.db')}` }, { log: 'silent', port });
  let server = await start();
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => server[Symbol.asyncDispose]());
  const run = (...args: string[]) =>
    startPets(args, { cwd: folder.path, environment: { PETSTORE_BASE_URL: server.baseUrl } });
  const begin = performance.now();
  const peaks: number[] = [];

  let command = run('import', file);
  let memory = watchMemory(command.child);
  for (const [share, victim] of KILLS) {
    while (doneLine(`${file}.journal`) < share * LINES) {
      expect(command.child.exitCode, 'the import has ended').toBe(null);
      await sleep(50);
    }
    if (victim === 'service') {
      await server.stop('SIGKILL');
      server = await start();
    } else {
      peaks.push(memory.stop());
      command.child.kill('SIGKILL');
      await command.ended;
      command = run('import', file);
      memory = watchMemory(command.child);
    }
  }
  const { stdout } = await command.ended;
  peaks.push(memory.stop());
  report('import', begin, LINES, peaks);
  expect(stdout).toBe(
    `${LINES - REFUSED.length} added, ${REFUSED.length} refused: see ${file}.errors.ndjson\n`,
  );
  const errors = readFileSync(`${file}.errors.ndjson`, 'utf8').trimEnd().split('\n');
  expect(errors.map((line) => JSON.parse(line).line)).toEqual(REFUSED);

  const exportBegin = performance.now();
  const exported = run('export', '--output', 'copy.ndjson');
  const exportMemory = watchMemory(exported.child);
  expect(await exported.ended).toMatchObject({ code: 0 });
  const exportPeak = exportMemory.stop();
  report('export', exportBegin, LINES - REFUSED.length, [exportPeak]);

  const times = new Uint8Array(LINES + 1);
  for await (const text of createInterface(createReadStream(folder.file('copy.ndjson')))) {
    const { name } = Pet.parse(parseJson(text));
    const line = Number(name.slice('animal '.length));
    times[line] = (times[line] ?? 0) + 1;
  }
  const wrong = times.findIndex((count, line) => line > 0 && count !== (isRefused(line) ? 0 : 1));
  expect(wrong, 'the first line that was not added once').toBe(-1);
  // The live heap is 25 MiB. The rest is space for young objects, which V8 lets grow for some minutes, and code.
  expect(Math.max(...peaks, exportPeak)).toBeLessThan(MAX_MEBIBYTES);
});

function doneLine(journal: string): number {
  return existsSync(journal) ? JSON.parse(readFileSync(journal, 'utf8')).done.line : 0;
}

function report(what: string, begin: number, count: number, peaks: readonly number[]): void {
  const seconds = (performance.now() - begin) / 1000;
  console.info(
    `${what}: ${Math.round(count / seconds)}/s over ${Math.round(seconds)} s, at most ${peaks.join(', ')} MiB resident`,
  );
}
