import { spawnSync } from 'node:child_process';
import { linkSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { Fetch } from '@petstore/client';
import type { Ended } from '@petstore/test-support/programs';
import { describe, expect, test, vi } from 'vitest';
import { exitCodes } from '../src/exit-code.ts';
import { MAX_RECORD_BYTES, openLines } from '../src/import/lines.ts';
import { linesOf, type MemoryService, PETS_COMMAND, READ_API_KEY, startMemoryService } from './support.ts';

/** Every third line has the same content: each of these lines must be added. */
const animal = (line: number) => `{"name":"${line % 3 === 0 ? 'twin' : `animal ${line}`}","categoryId":7}\n`;

const animals = (count: number) => Array.from({ length: count }, (_, index) => animal(index + 1)).join('');

describe('pets import of NDJSON', () => {
  test('writes each refused line with its number and the reason, to be corrected and imported', async () => {
    await using service = await startMemoryService();
    const NOT_INT64 = 'categoryId must be an integer from -2^63 to 2^63 - 1';
    const TOO_LARGE = 'createPet: 413 body_too_large: The body exceeds 64 KiB.';
    const TOO_LONG = `The line is longer than ${MAX_RECORD_BYTES} bytes`;
    /** Each line, with its error if it is refused. */
    const file: [line: string, error?: string][] = [
      ['{"name":"Ada","categoryId":1}'],
      [''],
      ['{"name":"Bob"}', 'categoryId is required'],
      ['{"name":"Cleo","name":"Cleo","categoryId":1}', 'The line has the member "name" twice'],
      ['Dora', 'The line is not well-formed JSON'],
      [`{"name":"${'x'.repeat(70_000)}","categoryId":1}`, TOO_LARGE],
      // With the carriage return, this line is as long as a line may be.
      ['{"name":"Dan","categoryId":1}'.padEnd(MAX_RECORD_BYTES - 1)],
      ['{"name":"Dan","categoryId":1}'.padEnd(MAX_RECORD_BYTES), TOO_LONG],
      ['[]', 'The line must be a JSON object'],
      ['{"name":"Emil","categoryId":9223372036854775808}', NOT_INT64],
      ['{"name":"Fay","categoryId":9223372036854775807,"id":5}'],
      ['{"name":"Gus","categoryId":9007199254740992.5}', NOT_INT64],
      ['{"name":"G\xffs","categoryId":1}', 'The line is not UTF-8'],
      ['x'.repeat(3 * MAX_RECORD_BYTES), TOO_LONG],
    ];
    const expected = file.flatMap(([, error], index) => (error === undefined ? [] : [[index + 1, error]]));
    const text = Buffer.from(file.map(([line]) => line).join('\r\n'), 'latin1');
    const refused = service.folder.file('refused.ndjson');
    writeFileSync(refused, 'refused by an earlier run\n');
    const stdout = `3 added, ${expected.length} refused\n`;
    const ended = await service.importFile('animals.ndjson', text, '--errors', refused);
    expect(ended).toMatchObject({ code: exitCodes.refused, stdout, stderr: '' });
    expect(service.petNames().toSorted()).toEqual(['Ada', 'Dan', 'Fay']);
    const fay = service.memory.pets.find(({ name }) => name === 'Fay');
    expect(fay).toMatchObject({ categoryId: 2n ** 63n - 1n });
    // A run that cannot start does not overwrite the file of refused lines.
    const args = ['import', 'animals.ndjson', '--errors', refused];
    expect((await service.run(args, { PETSTORE_API_KEY: '' })).code).toBe(exitCodes.usage);
    const errors = linesOf(readFileSync(refused, 'utf8'))
      .map((line) => JSON.parse(line))
      .toSorted((a, b) => a.line - b.line);
    expect(errors.map(({ line, error }) => [line, error.replace(/ \(request .*/, '')])).toEqual(expected);
    // `input` is the line as it was: written from its members, it would lose a duplicate name or a number's digits.
    const inputs = errors.map(({ input }) => input);
    expect(inputs).toContain('{"name":"Cleo","name":"Cleo","categoryId":1}');
    expect(inputs).toContain('{"name":"Gus","categoryId":9007199254740992.5}');

    const bob = errors.find(({ name }) => name === 'Bob');
    const corrected = `${JSON.stringify({ ...bob, categoryId: 7 })}\n${JSON.stringify(bob)}`;
    const again = await service.importFile('refused.ndjson', corrected, '--errors', 'again.ndjson');
    expect(again.stdout).toBe('1 added, 1 refused\n');
    expect(service.memory.pets.at(-1)).toMatchObject({ id: 4, name: 'Bob', categoryId: 7 });
    expect(JSON.parse(readFileSync(service.folder.file('again.ndjson'), 'utf8'))).toMatchObject({ line: 2 });
  });

  test('shows the first refused lines without --errors, and says how to get all', async () => {
    await using service = await startMemoryService();
    const { stderr, code } = await service.importFile('animals.ndjson', '{}\n'.repeat(12));
    const lines = linesOf(stderr);
    expect(lines[0]).toBe('line 1: name is required; categoryId is required');
    expect(lines).toHaveLength(11);
    expect(lines.at(-1)).toBe('More lines are refused: --errors FILE writes them');
    expect(code).toBe(exitCodes.refused);
  });

  test('adds a line once, whatever the name of the file, and again with another --batch', async () => {
    await using service = await startMemoryService();
    expect((await service.importFile('animals.ndjson', animals(40))).stdout).toBe('40 added, 0 refused\n');
    renameSync(service.folder.file('animals.ndjson'), service.folder.file('moved.ndjson'));
    for (const args of ['moved.ndjson', '- --format ndjson <moved.ndjson']) {
      const { output } = await service.runInShell(`${PETS_COMMAND} import ${args}`);
      expect(output).toBe('0 added, 40 had been added before, 0 refused\n');
    }
    expect(service.petNames()).toHaveLength(40);
    // The batch `May3` with line 3 needs another key than `May` with line 33, which has the same content.
    for (const batch of ['May', 'May3']) {
      const { stdout } = await service.run(['import', 'moved.ndjson', '--batch', batch]);
      expect(stdout).toBe('40 added, 0 refused\n');
    }
  });

  test('refuses an --errors file that is the input, even under another name', async () => {
    await using service = await startMemoryService();
    const file = service.folder.file('animals.ndjson');
    writeFileSync(file, animals(5));
    linkSync(file, service.folder.file('other-name'));
    for (const [input, errors] of [
      ['animals.ndjson', 'animals.ndjson'],
      ['animals.ndjson', 'other-name'],
      ['- --format ndjson <animals.ndjson', 'other-name'],
    ]) {
      const output = `pets: --errors: ${errors} is the file that is imported\n`;
      const ended = await service.runInShell(`${PETS_COMMAND} import --errors ${errors} ${input}`);
      expect(ended).toEqual({ code: exitCodes.usage, output });
    }
    expect(readFileSync(file, 'utf8')).toBe(animals(5));
    expect(service.petNames()).toEqual([]);
  });

  const readOnly = { PETSTORE_API_KEY: READ_API_KEY };
  const limit = { code: 'rate_limited', message: 'Too many requests.', status: 429 };
  const limited = (seconds: number) =>
    Response.json(limit, { status: 429, headers: { 'retry-after': `${seconds}` } });

  test.each([
    ['rate limit', '-', animal(1), {}, 'unavailable', '.* Too many requests\\. Try again in 36000 s'],
    ['read-only key', '-', animal(1), readOnly, 'unauthorized', '.* 403 insufficient_scope: .*'],
    ['full disk', 'p', '{}\n', {}, 'failure', '--errors: ENOSPC: no space left on device, write'],
  ] as const)('ends at once for a %s, and says how to go on', async (cause, input, line, env, kind, why) => {
    let requests = 0;
    const wrap = (fetch: Fetch) => async (url: string, init: RequestInit) => {
      requests += 1;
      if (cause === 'rate limit' && requests === 64) return limited(36_000);
      // Slower than the failure: these requests are in flight then, and their lines count as done.
      if (requests > 1) await sleep(200);
      return fetch(url, init);
    };
    await using service = await startMemoryService({ wrap });
    // `<>p` holds the pipe open, so that one of the 64 workers still reads when another fails. At the rate limit it is the
    // first worker, whose line was added without a delay. Aborting its read must not hide why the other failed.
    writeFileSync(service.folder.file('animals.ndjson'), line.repeat(cause === 'rate limit' ? 64 : 63));
    const command = `mkfifo p; cat *.ndjson >p & ${PETS_COMMAND} import ${input} --format ndjson --errors /dev/full <>p`;
    const { code, output } = await service.runInShell(command, env);
    expect(output).toMatch(new RegExp(`^pets: ${why}\\. ${service.petNames().length} lines are done: .*\n$`));
    expect(code).toBe(exitCodes[kind]);
  });

  /** Imports a line. Each turn of the event loop takes 100 ms of fake time. */
  async function importInFakeTime(service: MemoryService, ...options: string[]): Promise<Ended> {
    let ended: Ended | undefined;
    service.importFile('animals.ndjson', animals(1), ...options).then((result) => {
      ended = result;
    });
    while (ended === undefined) {
      await vi.advanceTimersByTimeAsync(100);
      await turn();
    }
    return ended;
  }

  /** Starts fake time and a service, which calls `respond` until some seconds after its first request. */
  function startServiceAfter(seconds: number, respond: () => Response) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    let start: number | undefined;
    return startMemoryService({
      wrap: (fetch) => async (url, init) => {
        start ??= performance.now();
        return performance.now() - start < seconds * 1_000 ? respond() : fetch(url, init);
      },
    });
  }

  const away = () => {
    throw new Error('The service is away');
  };

  test.each([
    { wait: ['--wait', '20'], seconds: 20 },
    { wait: [], seconds: 300 },
  ])('waits $seconds s with $wait for a service, then says how to go on', async ({ wait, seconds }) => {
    const waiting = 'The service is unavailable or overloaded: waiting for it\n';
    await using back = await startServiceAfter(seconds - 5, away);
    expect(await importInFakeTime(back, ...wait)).toMatchObject({ code: exitCodes.success, stderr: waiting });
    await using late = await startServiceAfter(seconds + 5, away);
    const message = `^${waiting}pets: No response to createPet .*\\. 0 lines are done: .*\n$`;
    const end = { code: exitCodes.unavailable, stderr: expect.stringMatching(message) };
    expect(await importInFakeTime(late, ...wait)).toMatchObject(end);
  });

  test('waits for minutes for a service that limits the rate', async () => {
    await using service = await startServiceAfter(150, () => limited(100));
    const { stdout, stderr } = await importInFakeTime(service, '--wait', '1800');
    expect(stdout).toBe('1 added, 0 refused\n');
    expect(stderr).toMatch(/^The rate limit of the API key is reached: going on in 10[01] s\n$/);
  });

  test('sends 64 requests at a time', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let received = 0;
    await using service = await startMemoryService({
      wrap: (fetch) => async (url, init) => {
        received += 1;
        // A further request would arrive in the meantime.
        if (received === 64) setTimeout(release, 100);
        await released;
        return fetch(url, init);
      },
    });
    const ended = service.importFile('animals.ndjson', animals(90));
    await released;
    expect(received).toBe(64);
    expect((await ended).stdout).toBe('90 added, 0 refused\n');
  });

  test('refuses a file that is one JSON array', async () => {
    await using service = await startMemoryService();
    const { code, stderr } = await service.importFile('animals.JSON', `[\n${animals(1)}]\n`);
    expect(stderr).toMatch(/^pets: The file begins with \[, but must have one JSON object on each line.*\n$/);
    expect(code).toBe(exitCodes.refused);
  });
});

test('SIGTERM ends an import and says how to go on; SIGHUP without a terminal is ignored', async () => {
  const allReceived = Promise.withResolvers<void>();
  let requests = 0;
  // The service adds two of five lines, and never responds to the others.
  await using service = await startMemoryService({
    wrap: (fetch) => async (url, init) => {
      requests += 1;
      if (requests === 5) allReceived.resolve();
      return requests <= 2 ? fetch(url, init) : new Promise(() => {});
    },
  });
  writeFileSync(service.folder.file('animals.ndjson'), animals(5));
  const { child, ended } = service.start(['import', 'animals.ndjson']);
  await allReceived.promise;
  child.kill('SIGHUP');
  child.kill('SIGTERM');
  const rest = '2 lines are done: run the same command again within a day to go on. It adds no line twice';
  expect(await ended).toEqual({ code: 143, stdout: '', stderr: `pets: Interrupted by SIGTERM. ${rest}\n` });
});

test('reading from a fast pipe leaves turns of the event loop to signals and timers', async () => {
  await using service = await startMemoryService();
  const pipe = service.folder.file('pipe');
  const write = `yes ${'x'.repeat(65_535)} | head -n 64 >'${pipe}'`;
  spawnSync(`mkfifo '${pipe}'; (${write}) &`, { shell: true, stdio: 'ignore' });
  const { loopCount } = performance.nodeTiming.uvMetricsInfo;
  // The pause fills the pipe again.
  for await (const _line of openLines(pipe, new AbortController().signal)) spawnSync('sleep', ['0.01']);
  expect(performance.nodeTiming.uvMetricsInfo.loopCount).toBeGreaterThanOrEqual(loopCount + 64);
});
