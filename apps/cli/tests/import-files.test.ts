import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, test } from 'vitest';
import { exitCodes } from '../src/exit-code.ts';
import { animals, csvOf } from './animals.ts';
import { readErrors, startMemoryService } from './memory-service.ts';

const SECRET = 'not of this import\n';

/** A service in memory, and a file of so many lines of which the first are refused. */
async function startWithFile(lines = 4, refused = 2) {
  const service = await startMemoryService();
  const file = service.folder.file('animals.ndjson');
  const line = (number: number) =>
    `{"name":"animal ${number}"${number > refused ? ',"categoryId":7' : ''}}\n`;
  writeFileSync(file, Array.from({ length: lines }, (_, index) => line(index + 1)).join(''));
  const secret = service.folder.file('secret');
  writeFileSync(secret, SECRET);
  return { ...service, file, journal: `${file}.journal`, errors: `${file}.errors.ndjson`, secret };
}

/** Changes a journal, by default so that the import is not complete. */
function changeJournal(path: string, change: object = {}): void {
  const state = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...state, isComplete: false, ...change }));
}

describe('on a full disk', () => {
  test('pets import loses no refused line', async () => {
    const [lines, refused] = [4_000, 1_500];
    await using service = await startWithFile(lines, refused);
    const full = await service.run(['import', service.file], { maxFileBytes: 65_536 });
    expect(full.stderr).toMatch(/^pets: EFBIG.* Done up to line \d+: run the same command again to go on\n$/);
    const { stdout } = await service.run(['import', service.file]);
    expect(stdout).toContain(`${lines - refused} added, ${refused} refused: `);
    const numbers = readErrors(service.errors).map(({ line }) => line);
    expect(numbers).toEqual(Array.from({ length: refused }, (_, index) => index + 1));
    expect(service.names()).toHaveLength(lines - refused);
  });

  test('pets import leaves no lock behind that it could not write', async () => {
    await using service = await startWithFile(5);
    const { stderr } = await service.run(['import', service.file], { maxFileBytes: 0 });
    expect(stderr).toMatch(/^pets: EFBIG.*\n$/);
    expect(readdirSync(service.folder.path).toSorted()).toEqual(['animals.ndjson', 'secret']);
  });

  test('pets export goes on where the file is complete', async () => {
    const pets = Array.from({ length: 2_000 }, (_, index) => ({ name: `pet ${index}`, categoryId: 7 }));
    await using service = await startMemoryService({ pets });
    const full = await service.run(['export', '--output', 'pets.csv'], { maxFileBytes: 16_384 });
    expect(full.stderr).toMatch(/^pets: EFBIG.* \d+ pets are in pets\.csv\.partial: run the same command/);
    expect((await service.run(['export', '--output', 'pets.csv'])).code).toBe(0);
    expect(readFileSync(service.folder.file('pets.csv'), 'utf8')).toBe(csvOf(service.memory.pets));
  });
});

describe('pets import writes to no file that is not its own:', () => {
  test.each([
    ['another file', 'secret'],
    ['the input', 'animals.ndjson'],
    ['the input by another name', 'other-name'],
    ['a link', 'link'],
    ['a link that leads nowhere', 'dangling'],
    ['a folder', '.'],
    ['a pipe', 'pipe'],
    ['the journal', 'animals.ndjson.journal'],
  ])('refuses %s as the file of errors', async (_, name) => {
    await using service = await startWithFile();
    linkSync(service.file, service.folder.file('other-name'));
    symlinkSync('secret', service.folder.file('link'));
    symlinkSync('missing', service.folder.file('dangling'));
    execFileSync('mkfifo', [service.folder.file('pipe')]);
    const input = readFileSync(service.file, 'utf8');
    const { code, stderr, stdout } = await service.run(['import', service.file, '--errors', name]);
    expect({ code, stdout, stderr }).toEqual({
      code: name === '.' ? exitCodes.failure : exitCodes.usage,
      stdout: '',
      stderr: expect.stringMatching(/^pets: .+\n$/),
    });
    expect(readFileSync(service.file, 'utf8')).toBe(input);
    expect(readFileSync(service.secret, 'utf8')).toBe(SECRET);
    expect(existsSync(service.folder.file('missing'))).toBe(false);
    expect(statSync(service.folder.file('pipe')).isFIFO()).toBe(true);
    expect(service.names()).toEqual([]);
  });

  test('refuses the refused lines of an import whose journal is gone, and takes an empty file', async () => {
    await using service = await startWithFile();
    await service.run(['import', service.file]);
    const refused = readFileSync(service.errors, 'utf8');
    unlinkSync(service.journal);
    expect(await service.run(['import', service.file])).toMatchObject({
      code: exitCodes.usage,
      stderr: `pets: ${service.errors} exists. Choose another name, or delete it\n`,
    });
    expect(readFileSync(service.errors, 'utf8')).toBe(refused);
    const empty = service.folder.file('empty');
    writeFileSync(empty, '');
    await service.run(['import', service.file, '--errors', empty]);
    expect(readFileSync(empty, 'utf8')).toBe(refused);
  });

  test('goes on with the file of errors of its journal, and with no other', async () => {
    await using service = await startWithFile();
    await service.run(['import', service.file]);
    changeJournal(service.journal);
    expect(await service.run(['import', service.file, '--errors', service.secret])).toMatchObject({
      code: exitCodes.notResumable,
      stderr: expect.stringContaining(`that of an import with --errors ${service.errors} (`),
    });
    expect(readFileSync(service.secret, 'utf8')).toBe(SECRET);
    expect((await service.run(['import', service.file])).stdout).toMatch(/^2 added, 2 refused/);
  });

  test('repeats an import with --again over its own file of errors, and over no other', async () => {
    await using service = await startWithFile();
    await service.run(['import', service.file]);
    const refused = readFileSync(service.errors, 'utf8');
    expect((await service.run(['import', service.file, '--again'])).stdout).toMatch(/^2 added, 2 refused/);
    expect(readFileSync(service.errors, 'utf8')).toBe(refused);

    writeFileSync(service.file, animals(4));
    unlinkSync(service.journal);
    unlinkSync(service.errors);
    await service.run(['import', service.file]);
    writeFileSync(service.errors, SECRET);
    expect(await service.run(['import', service.file, '--again'])).toMatchObject({ code: exitCodes.usage });
    expect(readFileSync(service.errors, 'utf8')).toBe(SECRET);
  });

  test.each(['journal', 'journal.new', 'journal.lock', 'errors.ndjson'])(
    'follows no link that was planted as FILE.%s',
    async (suffix) => {
      await using service = await startWithFile();
      const link = `${service.file}.${suffix}`;
      symlinkSync(suffix === 'journal.lock' ? 'missing' : 'secret', link);
      const { code } = await service.run(['import', service.file]);
      expect(code).toBe(suffix === 'journal.new' ? exitCodes.refused : exitCodes.usage);
      expect(readFileSync(service.secret, 'utf8')).toBe(SECRET);
      expect(existsSync(service.folder.file('missing'))).toBe(false);
    },
  );

  test('waits for no writer of a pipe that was planted as its journal', async () => {
    await using service = await startWithFile();
    execFileSync('mkfifo', [service.journal]);
    expect(await service.run(['import', service.file])).toMatchObject({
      code: exitCodes.usage,
      stderr: expect.stringContaining('must be a regular file'),
    });
  });
});

describe('pets export writes to no file that is not its own:', () => {
  test.each(['partial', 'journal', 'journal.new'])('keeps a file with the name FILE.%s', async (suffix) => {
    for (const kind of ['file', 'link']) {
      await using service = await startWithFile();
      const path = service.folder.file(`pets.csv.${suffix}`);
      if (kind === 'link') symlinkSync('secret', path);
      else writeFileSync(path, SECRET);
      const { code } = await service.run(['export', '--output', 'pets.csv']);
      expect(code === 0).toBe(suffix === 'journal.new');
      expect(readFileSync(path, 'utf8')).toBe(SECRET);
      expect(readFileSync(service.secret, 'utf8')).toBe(SECRET);
    }
  });

  test('creates no file through a link that leads nowhere', async () => {
    await using service = await startWithFile();
    symlinkSync('missing', service.folder.file('pets.csv.partial'));
    await service.run(['export', '--output', 'pets.csv']);
    expect(existsSync(service.folder.file('missing'))).toBe(false);
  });
});

describe('a journal', () => {
  const zero = { line: 0, bytes: 0, digest: 'petstore' };

  test.each([
    [
      'a longer file of errors',
      { errorBytes: 2 ** 40 },
      'bytes, and its journal tells of 1099511627776 bytes',
    ],
    ['more refused lines than lines', { refused: 1_000 }, 'is not the journal of an import'],
    [
      'more bytes than the input has',
      { done: { line: 1, bytes: 10_000, digest: 'x' } },
      'is not the journal',
    ],
    ['more lines than bytes', { done: { ...zero, line: 1_000 } }, 'is not the journal'],
    ['another line', { done: undefined }, 'is not the journal'],
    ['lines done that were not sent', { sentLine: 1 }, 'is not the journal'],
    ['numbers that are none', { added: 1e300 }, 'is not the journal'],
    ['a path elsewhere', { errorFile: '../secret' }, 'that of an import with --errors'],
  ])('that tells of %s is refused', async (_, change, message) => {
    await using service = await startWithFile();
    await service.run(['import', service.file]);
    const { size } = statSync(service.errors);
    changeJournal(service.journal, change);
    expect(await service.run(['import', service.file])).toMatchObject({
      code: exitCodes.notResumable,
      stderr: expect.stringContaining(message),
    });
    expect(statSync(service.errors).size).toBe(size);
  });

  test('whose file of errors is missing is refused with the remedy', async () => {
    await using service = await startWithFile();
    await service.run(['import', service.file]);
    changeJournal(service.journal);
    const { size } = statSync(service.errors);
    unlinkSync(service.errors);
    expect(await service.run(['import', service.file])).toMatchObject({
      code: exitCodes.notResumable,
      stderr: `pets: ${service.errors} is missing, and its journal tells of ${size} bytes. Restore it, or delete the journal to begin again\n`,
    });
  });

  test('of an export that tells of a longer file is refused', async () => {
    await using service = await startWithFile();
    const journal = service.folder.file('pets.csv.journal');
    const baseUrl = service.environment.PETSTORE_BASE_URL;
    const state = { journal: 'pets export 1', baseUrl, format: 'csv', count: 3, isComplete: false };
    writeFileSync(journal, JSON.stringify({ ...state, bytes: 2 ** 40 }));
    writeFileSync(service.folder.file('pets.csv.partial'), 'id,name,categoryId,status\n');
    expect(await service.run(['export', '--output', 'pets.csv'])).toMatchObject({
      code: exitCodes.notResumable,
    });
    expect(statSync(service.folder.file('pets.csv.partial')).size).toBe(26);
  });
});
