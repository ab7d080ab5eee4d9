import fs, { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type Pet, stringifyJson } from '@petstore/contract';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { exitCodes } from '../src/exit-code.ts';
import { linesOf, PETS_COMMAND, startMemoryService } from './support.ts';

const COUNT = 500;
/** Names that a spreadsheet would run. In many countries, `;` separates its cells. */
const FORMULAS = ['=1+2', 'x;=1+2', 'x;＝1+2', 'x;"=1+2', 'x\t=1+2', 'x;@1', 'x;-1'];
const NAMES = ['Ñandú 🦤', 'a "b", c', 'two\nlines', '', ' spaces ', 'red\u001b[31m', ...FORMULAS];

/** Called before the service responds to a request. */
let beforePage = async () => {};
afterEach(() => {
  beforePage = async () => {};
});

const service = await startMemoryService({
  pets: Array.from({ length: COUNT }, (_, index) => ({
    name: NAMES[index] ?? `pet ${index}`,
    categoryId: 2n ** 63n - 1n,
    ...(index % 2 === 0 && { status: 'sold' as const }),
  })),
  wrap: (fetch) => (url, init) => beforePage().then(() => fetch(url, init)),
});
afterAll(() => service[Symbol.asyncDispose]());

const ndjson = (list: readonly Pet[]) => list.map((pet) => `${stringifyJson(pet)}\n`).join('');

test('pets export writes every pet as a line of JSON, with exact integers', async () => {
  const { pets } = service.memory;
  expect(await service.run(['export'])).toEqual({ stdout: ndjson(pets), stderr: '', code: 0 });
  const sold = await service.run(['export', '--status', 'sold']);
  expect(sold.stdout).toBe(ndjson(pets.filter(({ status }) => status === 'sold')));
});

test.each([
  ['SIGKILL', null, ''],
  ['SIGINT', 130, 'pets: Interrupted by SIGINT. pets.ndjson was not written\n'],
] as const)(
  'an export that %s ends leaves the file as it was, and the next run replaces it',
  async (signal, code, stderr) => {
    const file = service.folder.file('pets.ndjson');
    writeFileSync(file, 'of yesterday');
    const thirdRequest = Promise.withResolvers<void>();
    let requests = 0;
    beforePage = async () => {
      requests += 1;
      if (requests !== 3) return;
      thirdRequest.resolve();
      await new Promise(() => {});
    };
    const { child, ended } = service.start(['export', '--output', 'pets.ndjson']);
    await thirdRequest.promise;
    child.kill(signal);
    expect(await ended).toEqual({ code, stdout: '', stderr });
    const partialFiles = readdirSync(service.folder.path).filter((name) => name !== 'pets.ndjson');
    const expected = signal === 'SIGKILL' ? [expect.stringMatching(/^pets\.ndjson\.partial-/)] : [];
    expect(partialFiles).toEqual(expected);
    expect(readFileSync(file, 'utf8')).toBe('of yesterday');

    using flushed = vi.spyOn(fs, 'fsync');
    const next = await service.run(['export', '--output', file]);
    expect(flushed, 'A power failure must not lose the file').toHaveBeenCalledOnce();
    expect(next).toEqual({ code: 0, stdout: `${COUNT} pets in ${file}\n`, stderr: '' });
    expect(readFileSync(file, 'utf8')).toBe(ndjson(service.memory.pets));
    // Another export could still write to that partial file.
    expect(readdirSync(service.folder.path)).toEqual(['pets.ndjson', ...partialFiles]);
    for (const name of partialFiles) rmSync(service.folder.file(name));
  },
);

test('an export that cannot replace its file names the file, and removes the partial file', async () => {
  // The export checks at its start that no folder has this name.
  beforePage = async () => void mkdirSync(service.folder.file('taken.ndjson'), { recursive: true });
  const stderr = expect.stringMatching(/^pets: taken\.ndjson: EISDIR: /);
  const ended = await service.run(['export', '--output', 'taken.ndjson']);
  expect(ended).toEqual({ code: exitCodes.failure, stdout: '', stderr });
  const files = readdirSync(service.folder.path).filter((name) => name.startsWith('taken'));
  expect(files).toEqual(['taken.ndjson']);
});

test('pets export does not replace a link, such as /dev/stdout', async () => {
  symlinkSync('target.csv', service.folder.file('link.csv'));
  expect((await service.run(['export', '--output', 'link.csv'])).code).toBe(exitCodes.usage);
});

test('pets export escapes control characters of CSV on a terminal, but not in other output, and ends on a terminal once it has written its file', async () => {
  const shown = await service.runOnTerminal('export --format csv');
  expect(shown).toContain('red\\u001b[31m');
  expect(shown.replaceAll(/\r?\n/g, '')).not.toMatch(/\p{Cc}/u);
  expect((await service.run(['export', '--format', 'csv'])).stdout).toContain('red\u001b[31m');
  const written = await service.runOnTerminal('export --output shown.csv'); // Its progress has a timer, which must end.
  expect(written).toContain(`${COUNT} pets in shown.csv\r\n`);
  expect(readFileSync(service.folder.file('shown.csv'), 'utf8')).toContain('red\u001b[31m');
});

test('pets export ends at SIGHUP and when its terminal closes, even if only standard error is the terminal', async () => {
  beforePage = async () => {
    writeFileSync(service.folder.file('requested'), '');
    await new Promise(() => {});
  };
  const start = 'export --output closed.csv </dev/null >/dev/null & until rm requested; do sleep 0.1; done';
  const shown = await service.runOnTerminal(`${start}; kill -HUP $!; wait $!`);
  expect(shown).toContain('pets: Interrupted by SIGHUP. closed.csv was not written');
  // $PPID is `script`, which runs the shell in a terminal: its end closes the terminal.
  await service.runOnTerminal(`${start}; kill -KILL $PPID; wait`);
  await expect.poll(() => readdirSync(service.folder.path).join()).not.toContain('closed.csv');
});

test('pets export obeys HTTP_PROXY if NODE_USE_ENV_PROXY or --use-env-proxy makes the fetch of Node.js obey it', async () => {
  // Node.js also accepts underscores in its options. Releases without this option refuse to start.
  for (const setting of ['NODE_USE_ENV_PROXY=1', 'NODE_OPTIONS=--use_env_proxy']) {
    const run = (line: string) => service.runInShell(`HTTP_PROXY=http://127.0.0.1:1 ${setting} ${line}`);
    const { code } = await run(`'${process.execPath}' -e 'fetch(process.env.PETSTORE_BASE_URL)'`);
    expect((await run(`${PETS_COMMAND} export --wait 1`)).code === 0, setting).toBe(code === 0);
  }
});

const formulaNamesIn = (csv: string) =>
  linesOf(csv)
    .map((line) => line.split(',')[1])
    .filter((name) => /[=＝@-]1/.test(name ?? ''));

test('pets export --spreadsheet writes a byte order mark, and no name that a spreadsheet runs', async () => {
  const file = service.folder.file('pets.csv');
  await service.run(['export', '--spreadsheet', '--output', file]);
  const written = readFileSync(file, 'utf8');
  expect(written).toMatch(/^\ufeffid,name,categoryId/);
  const guarded = ["'=1+2", "x;'=1+2", "x;'＝1+2", `"x;""'=1+2"`, "x\t'=1+2", "x;'@1", "x;'-1"];
  expect(formulaNamesIn(written)).toEqual(guarded);
  const plain = await service.run(['export', '--format', 'csv']);
  expect(formulaNamesIn(plain.stdout)).toEqual(guarded.map((name) => name.replace("'", '')));
});

test('pets export ends silently when the reader of its output closes it', async () => {
  // A megabyte: buffers would hold a smaller output, and the command would end before it notices the closed pipe.
  const large = { name: 'x'.repeat(60_000), categoryId: 1 };
  await using other = await startMemoryService({ pets: Array(20).fill(large) });
  const { output } = await other.runInShell(`{ ${PETS_COMMAND} export; echo ended $? >&2; } | head -c 1`);
  expect(output).toBe(`{ended ${exitCodes.success}\n`);
});
