import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { temporaryFolder } from '@petstore/test-support/files';
import { startProxy } from '@petstore/test-support/proxies/proxy';
import { startServer } from '@petstore/test-support/servers/server-process';
import { describe, expect, test } from 'vitest';
import { exitCodes } from '../src/exit-code.ts';
import { addedNames, animals, readNames, refusedLines } from './animals.ts';
import { linesOf, readErrors, startMemoryService } from './memory-service.ts';
import { startPets } from './run-pets.ts';

test('an import that is killed, interrupted and whose service is killed adds every line once', async () => {
  const count = 4_000;
  await using folder = await temporaryFolder();
  const database = { DATABASE_URL: `sqlite:${folder.file('petstore.db')}` };
  let server = await startServer(database, { log: 'silent' });
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => server[Symbol.asyncDispose]());
  await using proxy = await startProxy(server.origin);
  writeFileSync(folder.file('animals.ndjson'), animals(count));
  const environment = { PETSTORE_BASE_URL: `${proxy.origin}/v1` };
  const start = () => startPets(['import', 'animals.ndjson'], { cwd: folder.path, environment });
  const readJournal = () => JSON.parse(readFileSync(folder.file('animals.ndjson.journal'), 'utf8'));
  /** Waits until that many more requests of about 400 bytes have passed. */
  const pass = (requests: number) => {
    const before = proxy.passed.request;
    return expect.poll(() => proxy.passed.request - before, { interval: 5 }).toBeGreaterThan(requests * 400);
  };

  // Killed between the commits of the service and its responses.
  const killed = start();
  await pass(300);
  await proxy.hold(5);
  killed.child.kill('SIGKILL');
  expect((await killed.ended).signal).toBe('SIGKILL');
  proxy.release();

  // The service is killed and comes back: the import waits for it.
  const waiting = start();
  await pass(600);
  proxy.aim();
  await server.stop('SIGKILL');
  server = await startServer(database, { log: 'silent' });
  proxy.aim(server.origin);
  await pass(100);
  waiting.child.kill('SIGKILL');
  await waiting.ended;

  const interrupted = start();
  await pass(500);
  interrupted.child.kill('SIGINT');
  const { code, stderr } = await interrupted.ended;
  expect(code).toBe(exitCodes.interrupted);
  expect(stderr).toMatch(/^pets: Interrupted\. Done up to line \d+: run the same command again to go on\n$/);
  const { done, sentLine } = readJournal();
  expect(sentLine).toBe(done.line);

  const refused = refusedLines(count);
  const complete = { code: exitCodes.refused, stdout: summary(count - refused.length, refused.length) };
  expect(await start().ended).toMatchObject(complete);
  expect(await readNames(server.baseUrl)).toEqual(addedNames(count));
  expect(readErrors(folder.file('animals.ndjson.errors.ndjson')).map(({ line }) => line)).toEqual(refused);

  // There is nothing left to do.
  await server.stop();
  expect(await start().ended).toMatchObject(complete);
});

const summary = (added: number, refused: number) =>
  `${added} added, ${refused} refused: see animals.ndjson.errors.ndjson\n`;

describe('pets import', () => {
  test('reports each line that is refused, by the contract or by the service', async () => {
    await using service = await startMemoryService();
    const text = [
      '{"name":"Ada","categoryId":1}',
      '',
      '{"name":"Bob"}',
      '{"name":"Cleo","name":"Cleo","categoryId":1}',
      'Dora',
      `{"name":"${'x'.repeat(70_000)}","categoryId":1}`,
      `{"name":"${'x'.repeat(2 ** 20)}","categoryId":1}`,
      '{"name":"Emil\\ud800","categoryId":1}',
      '{"name":"Fay","categoryId":9223372036854775807,"id":5}',
    ].join('\r\n');
    const bytes = Buffer.from(text).toString('latin1').replace('Bob', 'B\xffb');
    writeFileSync(service.folder.file('animals.ndjson'), bytes, 'latin1');
    expect(await service.run(['import', 'animals.ndjson'])).toMatchObject({
      code: 3,
      stdout: summary(2, 6),
      stderr: '',
    });
    expect(service.memory.pets).toMatchObject([{ name: 'Ada' }, { name: 'Fay', categoryId: 2n ** 63n - 1n }]);
    const errors = readErrors(service.folder.file('animals.ndjson.errors.ndjson'));
    expect(
      errors.map(({ line, code, message }) => [line, code, message.replace(/ \(request .*/, '')]),
    ).toEqual([
      [3, 'invalid_record', 'The line is not UTF-8'],
      [4, 'invalid_record', 'The line has the member "name" twice'],
      [5, 'invalid_record', 'The line is not well-formed JSON'],
      [6, 'body_too_large', expect.any(String)],
      [7, 'invalid_record', 'The line is longer than 1048576 bytes'],
      [8, 'invalid_record', 'name must not contain NUL or a lone surrogate'],
    ]);
    expect(errors[1].input).toBe('{"name":"Cleo","name":"Cleo","categoryId":1}');
  });

  test('checks every line with --dry-run, and sends and writes nothing', async () => {
    await using service = await startMemoryService();
    writeFileSync(service.folder.file('animals.ndjson'), animals(250));
    const { stdout, code } = await service.run(['import', 'animals.ndjson', '--dry-run']);
    const lines = linesOf(stdout);
    expect(lines.at(-1)).toBe('248 would be added, 2 refused');
    expect(lines.slice(0, -1).map((line) => JSON.parse(line).line)).toEqual([100, 200]);
    expect(code).toBe(exitCodes.refused);
    expect(service.names()).toEqual([]);
    expect(existsSync(service.folder.file('animals.ndjson.journal'))).toBe(false);
  });

  test('adds what comes through a pipe once, also when the same comes again', async () => {
    await using service = await startMemoryService();
    const args = ['import', '-', '--format', 'ndjson'];
    await service.run(args, { input: animals(20) });
    const { stdout } = await service.run(args, { input: animals(30) });
    expect(stdout).toBe('30 added, 0 refused\n');
    expect(service.names().toSorted()).toEqual(addedNames(30));
  });

  test('adds the pets of a file once more with --again', async () => {
    await using service = await startMemoryService();
    const file = service.folder.file('animals.ndjson');
    writeFileSync(file, animals(5));
    expect(await service.run(['import', file, '--again'])).toMatchObject({ code: exitCodes.notResumable });
    await service.run(['import', file]);
    for (let run = 0; run < 2; run += 1) {
      expect(await service.run(['import', file])).toMatchObject({ code: 0, stdout: '5 added, 0 refused\n' });
    }
    expect(await service.run(['import', file, '--again'])).toMatchObject({ code: 0 });
    expect(service.names().toSorted()).toEqual([...addedNames(5), ...addedNames(5)].toSorted());
  });

  test('refuses a file that has changed since its import began, and an import into another service', async () => {
    await using service = await startMemoryService();
    await using other = await startMemoryService();
    const file = service.folder.file('animals.ndjson');
    writeFileSync(file, animals(5));
    expect(await service.run(['import', file])).toMatchObject({ code: 0 });
    expect(await other.run(['import', file])).toMatchObject({
      code: exitCodes.notResumable,
      stderr: expect.stringMatching(
        /^pets: The journal is that of an import into http.+ To begin a new import, delete it\n$/,
      ),
    });
    writeFileSync(file, animals(6));
    expect(await service.run(['import', file])).toMatchObject({
      code: exitCodes.notResumable,
      stderr: expect.stringMatching(/^pets: The file is not the one that the journal tells of .+\n$/),
    });
    expect(service.names()).toHaveLength(5);
  });

  test('leaves lines to the user that may have been added longer ago than the service keeps their keys', async () => {
    await using service = await startMemoryService();
    const file = service.folder.file('animals.ndjson');
    const journal = `${file}.journal`;
    writeFileSync(file, animals(10));
    await service.run(['import', file]);
    const state = JSON.parse(readFileSync(journal, 'utf8'));
    // As after a kill two days ago: nothing is known to be done, and four lines may have been sent.
    const done = { line: 0, bytes: 0, digest: 'petstore' };
    const savedAt = new Date(Date.now() - 48 * 60 * 60 * 1000).toISOString();
    const old = { ...state, done, added: 0, sentLine: 4, savedAt, isComplete: false };
    writeFileSync(journal, JSON.stringify(old));

    const { code, stderr } = await service.run(['import', file]);
    expect(code).toBe(exitCodes.notResumable);
    expect(stderr).toContain('whether lines 1 to 4 were added. Choose: --uncertain skip or --uncertain send');

    const skipped = await service.run(['import', file, '--uncertain', 'skip']);
    expect(skipped.stdout).toContain('6 added, 4 refused');
    const errors = readErrors(`${file}.errors.ndjson`);
    expect(errors.map(({ line, code }) => [line, code])).toEqual(
      [1, 2, 3, 4].map((line) => [line, 'uncertain']),
    );
  });

  test('ends with a line that says how to go on when the service stays away', async () => {
    await using service = await startMemoryService();
    const file = service.folder.file('animals.ndjson');
    writeFileSync(file, animals(5));
    const args = ['import', file, '--wait', '1', '--base-url', 'http://127.0.0.1:9/v1'];
    const { code, stderr } = await service.run(args);
    expect(code).toBe(exitCodes.unavailable);
    expect(stderr).toMatch(
      /^pets: No response to createPet .+ Done up to line 0: run the same command again to go on\n$/,
    );
  });

  test('shows the progress with --progress', async () => {
    await using service = await startMemoryService({
      wrap: (fetch) => async (url, init) => {
        await new Promise((resolve) => setTimeout(resolve, 500));
        return fetch(url, init);
      },
    });
    writeFileSync(service.folder.file('animals.ndjson'), animals(30));
    const { stderr } = await service.run(['import', 'animals.ndjson', '--progress']);
    expect(stderr).toMatch(/\r[█░]{20} \d+ % {2}\d+ pets {2}\d+\/s/);
    expect(stderr.endsWith('\r\u001b[K')).toBe(true);
  });

  test('sends less to a service that limits the rate, and adds every line', async () => {
    let tokens = 10;
    let refusals = 0;
    const refill = setInterval(() => {
      tokens = 10;
    }, 1_000);
    await using service = await startMemoryService({
      wrap: (fetch) => async (url, init) => {
        tokens -= 1;
        if (tokens >= 0) return fetch(url, init);
        refusals += 1;
        const body = { code: 'rate_limited', message: 'Too many requests.', status: 429 };
        return Response.json(body, { status: 429, headers: { 'retry-after': '1' } });
      },
    });
    writeFileSync(service.folder.file('animals.ndjson'), animals(40));
    const { stdout } = await service.run(['import', 'animals.ndjson']);
    clearInterval(refill);
    expect(stdout).toBe('40 added, 0 refused\n');
    expect(service.names().toSorted()).toEqual(addedNames(40));
    // Without adapting, each of up to 64 requests in flight would be refused again and again.
    expect(refusals).toBeGreaterThan(0);
    expect(refusals).toBeLessThan(40);
  });

  test('ends after Ctrl-C although the service does not respond, and adds every line later', async () => {
    let held = 0;
    let isHeld = true;
    await using service = await startMemoryService({
      wrap: (fetch) => async (url, init) => {
        if (!isHeld) return fetch(url, init);
        held += 1;
        return new Promise(() => {});
      },
    });
    writeFileSync(service.folder.file('animals.ndjson'), animals(40));
    const { folder, environment } = service;
    // All of them wait: the import is at its limit.
    const args = ['import', 'animals.ndjson', '--concurrency', '4'];
    const { child, ended } = startPets(args, { cwd: folder.path, environment });
    await expect.poll(() => held).toBe(4);
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect(stderr).toMatch(/^pets: Interrupted\. Done up to line 0/);
    expect(code).toBe(exitCodes.interrupted);

    isHeld = false;
    expect(await service.run(args)).toMatchObject({ code: 0, stdout: '40 added, 0 refused\n' });
    expect(service.names().toSorted()).toEqual(addedNames(40));
  });
});
