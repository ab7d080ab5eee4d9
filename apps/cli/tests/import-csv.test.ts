import { readFileSync } from 'node:fs';
import { type Pet, stringifyJson } from '@petstore/contract';
import { describe, expect, test } from 'vitest';
import { exitCodes } from '../src/exit-code.ts';
import { MAX_RECORD_BYTES } from '../src/import/lines.ts';
import { startMemoryService } from './support.ts';

const MISPLACED_QUOTE = 'A quote is in the middle of a field: quote the field, and double the quote';
const NOT_CLOSED = `A quote is not closed within ${MAX_RECORD_BYTES} bytes`;

describe('pets import of CSV', () => {
  const rows = [
    '\ufeffcategoryId,id,name,status',
    '9007199254740993,1,"a ""b"", c",sold',
    '7,,"two\r\nlines",',
    '7,,6" tall,', // Line 5, because the row before has two lines.
    '7,,,available',
    'x,,y,', // Line 7.
    '7,,"open,', // Line 8. Only a line with an odd number of quotes could close this one.
    '7,,next,',
    '7,,"closed",',
    '7', // Line 11.
    '',
    '7,,last,pending',
  ].join('\r\n');

  test('reads quotes, line breaks and extra columns, and writes refused rows with their reasons', async () => {
    await using service = await startMemoryService();
    const options = ['--errors', 'refused.csv', '--allow-blank-names'];
    const { stdout } = await service.importFile('animals.CSV', rows, ...options);
    expect(stdout).toBe('6 added, 4 refused\n');
    expect(service.memory.pets).toMatchObject([
      { categoryId: 9007199254740993n, name: 'a "b", c', status: 'sold' },
      { categoryId: 7, name: 'two\r\nlines' },
      { categoryId: 7, name: '', status: 'available' },
      { categoryId: 7, name: 'next' },
      { categoryId: 7, name: 'closed' },
      { categoryId: 7, name: 'last', status: 'pending' },
    ]);
    expect(readFileSync(service.folder.file('refused.csv'), 'utf8').split('\n')).toEqual([
      'line,error,categoryId,id,name,status',
      `5,"${MISPLACED_QUOTE}",7,,6" tall,`,
      '7,categoryId must be an integer from -2^63 to 2^63 - 1,x,,y,',
      '8,A quote is never closed,7,,"open,',
      '11,"The number of fields is 1, but the first row has 4",7',
      '',
    ]);
  });

  test('refuses a whole row when one of its lines is not UTF-8', async () => {
    await using service = await startMemoryService();
    const text = Buffer.from('name,categoryId\n"Rex\nthe \xff dog",1\nAda,1\n', 'latin1');
    const { stdout } = await service.importFile('animals.csv', text, '--errors', 'refused.csv');
    expect(stdout).toBe('1 added, 1 refused\n');
    const refused = 'line,error,name,categoryId\n2,The line is not UTF-8,"Rex\nthe ÿ dog",1\n';
    expect(readFileSync(service.folder.file('refused.csv'), 'utf8')).toBe(refused);
  });

  test('does not add a row again when only its quotes and line endings have changed', async () => {
    await using service = await startMemoryService();
    await service.importFile('animals.csv', 'name,categoryId\nAda,7\nBob,7\n');
    const text = '"name","categoryId"\r\n"Ada","7"\r\n"Bob","7"\r\n';
    const { stdout } = await service.importFile('animals.csv', text);
    expect(stdout).toBe('0 added, 2 had been added before, 0 refused\n');
  });

  test('adds a row again when the names of its columns were corrected', async () => {
    await using service = await startMemoryService();
    for (const header of ['name,categoryId', 'categoryId,name']) {
      const { stdout } = await service.importFile('animals.csv', `${header}\n7,8\n`);
      expect(stdout).toBe('1 added, 0 refused\n');
    }
    expect(service.petNames()).toEqual(['7', '8']);
  });

  test.each([
    ['no line', '', 'The file has no rows'],
    ['other columns', 'Name,CategoryId\nAda,1\n', 'It begins with "Name,CategoryId"'],
    ['semicolons', 'name;categoryId;status\nAda;1;sold\n', 'It begins with "name;categoryId;status"'],
    ['tabs', 'name\tcategoryId\r\nAda\t1\r\n', 'It begins with "name\\tcategoryId"'],
    ['a long first line', `${'x'.repeat(1_000)}\n`, `It begins with "${'x'.repeat(200)}"`],
    ['a column twice', 'name,categoryId,name\nAda,1,Bob\n', 'It names name more than once'],
    ['a first line in Latin-1', Buffer.from('name,categoryId,größe\n', 'latin1'), 'The line is not UTF-8'],
    ['carriage returns alone', 'name,categoryId,x\rA,1,y\r', 'It has a carriage return without a line feed'],
    ['an open quote', '"name,categoryId\n', 'A quote is never closed'],
  ])('refuses a file with %s, and says what is expected', async (_, text, found) => {
    await using service = await startMemoryService();
    const { code, stderr } = await service.importFile('animals.csv', text);
    expect(stderr).toMatch(
      /^pets: The first line of a CSV file must name the columns, with commas between them: name and categoryId, /,
    );
    expect(stderr.endsWith(`. ${found}\n`), stderr).toBe(true);
    expect(code).toBe(exitCodes.refused);
  });

  test.each([
    ['UTF-16LE without a byte order mark', Buffer.from('name', 'utf16le')],
    ['UTF-16BE without a byte order mark', Buffer.from('name', 'utf16le').swap16()],
    ['UTF-16LE with a byte order mark', Buffer.from('\ufeffname', 'utf16le')],
    ['UTF-16BE with a byte order mark', Buffer.from('\ufeffname', 'utf16le').swap16()],
  ])('refuses a file in %s at once', async (_, bytes) => {
    await using service = await startMemoryService();
    const stderr = expect.stringMatching(/^pets: The file is UTF-16, but must be UTF-8: .*\n$/);
    expect(await service.importFile('animals.csv', bytes)).toMatchObject({ code: exitCodes.refused, stderr });
  });

  test('refuses a blank name, unless a flag allows it', async () => {
    await using service = await startMemoryService();
    const text = 'name,categoryId\n,4\nAda,4\n"\t ",4\n';
    const dryRun = await service.importFile('animals.csv', text, '--dry-run');
    expect(dryRun.stdout).toBe('1 would be added, 2 refused\n');
    const { stdout, stderr } = await service.run(['import', 'animals.csv']);
    expect(stdout).toBe('1 added, 2 refused\n');
    expect(stderr).toContain('line 2: name is blank: --allow-blank-names adds it\n');
    const allowed = await service.run(['import', 'animals.csv', '--allow-blank-names']);
    expect(allowed.stdout).toBe('2 added, 1 had been added before, 0 refused\n');
    expect(service.petNames().toSorted()).toEqual(['', '\t ', 'Ada']);
  });
});

test.each(['csv', 'ndjson'])('an import of an export in %s changes no character or digit', async (format) => {
  const names = [
    'line\nfeed',
    'carriage\rreturn',
    '\r\n',
    'ends with a carriage return\r',
    'line\u2028separator and paragraph\u2029separator',
    '\ufeffbyte order mark',
    'a line\n\ufeffand a byte order mark',
    '"',
    'a "quoted" Ñandú 🦤, and a comma',
    ' spaces and a tab\t',
    '',
  ];
  const pets = names.map((name) => ({ name, categoryId: 2n ** 63n - 1n, status: 'sold' as const }));
  await using service = await startMemoryService({ pets });
  await using other = await startMemoryService();
  const file = other.folder.file(`pets.${format}`);
  await service.run(['export', '--output', file]);
  const { stdout } = await other.run(['import', file, '--allow-blank-names']);
  expect(stdout).toBe(`${names.length} added, 0 refused\n`);
  const contentsOf = (list: readonly Pet[]) => list.map(({ id: _, ...pet }) => stringifyJson(pet)).toSorted();
  expect(contentsOf(other.memory.pets)).toEqual(contentsOf(service.memory.pets));
});

test.each([
  ['without quotes', 'an animal with a long name,7\n', NOT_CLOSED],
  ['with two quotes each', '"an animal with a long name",7\n', MISPLACED_QUOTE],
  ['with one quote each', '"an animal\nwith a long name",7\n', MISPLACED_QUOTE],
])('an open CSV quote before many lines %s makes only its own line fail', async (_, row, message) => {
  await using service = await startMemoryService();
  // All lines together exceed MAX_RECORD_BYTES. The open row ends there, or at a line with an odd number of quotes.
  const text = `name,categoryId\n"animal,7\n${row.repeat(10_000)}`;
  const start = process.cpuUsage();
  const options = ['--format', 'csv', '--dry-run'];
  const { stdout, stderr } = await service.importFile('animals.txt', text, ...options);
  const { user } = process.cpuUsage(start);
  expect(stdout).toBe('10000 would be added, 1 refused\n');
  expect(stderr).toBe(`line 2: ${message}\n`);
  expect(service.petNames()).toEqual([]);
  // Parsing an open row again at each line would take half a minute.
  expect(user, 'microseconds of processor time').toBeLessThan(5_000_000);
});
