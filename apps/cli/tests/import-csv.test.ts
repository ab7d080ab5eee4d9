import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { exitCodes } from '../src/exit-code.ts';
import { MAX_RECORD_BYTES } from '../src/input/lines.ts';
import { linesOf, readErrors, startMemoryService } from './memory-service.ts';

const names = [
  'line\nfeed',
  'carriage return and\r\nline feed',
  'carriage\rreturn',
  '\r\n',
  'ends with a carriage return\r',
  'next\u0085line',
  'line\u2028separator and paragraph\u2029separator',
  'vertical\vtab and form\ffeed',
  '\ufeffbyte order mark',
  'a line\n\ufeffand a byte order mark',
  '"',
  'a "quoted" name, and a comma',
  ' spaces and a tab\t',
  '',
];

describe('pets import of CSV', () => {
  test('reads rows of CSV with quotes, line breaks and further columns', async () => {
    await using service = await startMemoryService();
    const rows = [
      '\ufeffcategoryId,id,name,status',
      '9007199254740993,1,"a ""b"", c",sold',
      '7,,"two\r\nlines",',
      '7,,6" tall,',
      '7,,,available',
      'x,,y,',
      '7,,"open,',
      '7,,next,',
      '7,,"closed",',
      '7',
      '',
      '7,,last,pending',
    ];
    writeFileSync(service.folder.file('animals.CSV'), rows.join('\r\n'));
    const { stdout } = await service.run(['import', 'animals.CSV']);
    expect(stdout).toBe('6 added, 4 refused: see animals.CSV.errors.ndjson\n');
    expect(service.memory.pets).toMatchObject([
      { id: expect.any(Number), categoryId: 9007199254740993n, name: 'a "b", c', status: 'sold' },
      { id: expect.any(Number), categoryId: 7, name: 'two\r\nlines' },
      { id: expect.any(Number), categoryId: 7, name: '', status: 'available' },
      { id: expect.any(Number), categoryId: 7, name: 'next' },
      { id: expect.any(Number), categoryId: 7, name: 'closed' },
      { id: expect.any(Number), categoryId: 7, name: 'last', status: 'pending' },
    ]);
    const errors = readErrors(service.folder.file('animals.CSV.errors.ndjson'));
    expect(errors.map(({ line, lastLine, message }) => [line, lastLine, message])).toEqual([
      [5, undefined, expect.stringMatching(/^A field in line 5 has a quote and does not begin with one: /)],
      [7, undefined, 'categoryId must be an integer from -2^63 to 2^63 - 1'],
      [8, undefined, 'The quote that opens in line 8 is closed in line 10 before the end of its field'],
      [11, undefined, 'The row has 1 fields, and the first row 4'],
    ]);
  });

  test('refuses a CSV file without the columns that a pet needs', async () => {
    await using service = await startMemoryService();
    writeFileSync(service.folder.file('animals.csv'), 'Ada,1\n');
    expect(await service.run(['import', 'animals.csv'])).toMatchObject({
      code: exitCodes.refused,
      stderr: expect.stringContaining('names its columns, such as name,categoryId,status'),
    });
  });

  test.each(['csv', 'ndjson'])(
    'adds the names that pets export wrote as %s, character by character',
    async (format) => {
      await using service = await startMemoryService({
        pets: names.map((name) => ({ name, categoryId: 7 })),
      });
      await using other = await startMemoryService();
      const file = other.folder.file(`pets.${format}`);
      await service.run(['export', '--output', file]);
      expect((await other.run(['import', file])).stdout).toBe(`${names.length} added, 0 refused\n`);
      expect(other.names().toSorted()).toEqual(names.toSorted());
    },
  );

  test('takes a byte order mark for a part of the name, except at the begin of the file', async () => {
    await using service = await startMemoryService();
    writeFileSync(service.folder.file('pets.csv'), '\ufeffname,categoryId\n\ufeffAda,7\n"\n\ufeffBob",7\n');
    await service.run(['import', 'pets.csv']);
    expect(service.names().toSorted()).toEqual(['\n\ufeffBob', '\ufeffAda']);
  });
});

describe('a quote too many in a CSV file', () => {
  const COUNT = 100_000;
  const check = async (rows: readonly string[]) => {
    await using service = await startMemoryService();
    writeFileSync(service.folder.file('pets.csv'), `name,categoryId\n${rows.join('\n')}\n`);
    return await service.run(['import', 'pets.csv', '--dry-run']);
  };
  /** Rows of which the one at a share of them has the quote. */
  const rowsWith = (share: number, row: (index: number) => string) =>
    Array.from({ length: COUNT }, (_, index) => (index === share * COUNT ? '"animal,7' : row(index)));

  test.each([
    [
      'in a file without quotes',
      rowsWith(0.3, (index) => `animal ${index},7`),
      `is not closed within ${MAX_RECORD_BYTES} bytes`,
    ],
    ['near the end of a file', rowsWith(0.9, (index) => `animal ${index},7`), 'is never closed'],
    [
      'in a file with quotes in each line',
      rowsWith(0.3, (index) => `"animal ""${index}""",7`),
      'is closed in line 30003 before the end of its field',
    ],
    [
      'in a file with names of several lines',
      rowsWith(0.3, (index) => `"animal\n${index}",7`),
      'is closed in line 60003 before the end of its field',
    ],
  ])('%s costs its line, and time in proportion to the length of the file', async (_, rows, what) => {
    const { stdout, code } = await check(rows);
    const [error = '', summary] = linesOf(stdout);
    expect(summary).toBe(`${COUNT - 1} would be added, 1 refused`);
    const { line, lastLine, message } = JSON.parse(error);
    expect(message).toContain(`The quote that opens in line ${line} `);
    expect(message).toContain(what);
    expect(lastLine).toBe(undefined);
    expect(code).toBe(exitCodes.refused);
  });
});
