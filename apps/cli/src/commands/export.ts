import { randomUUID } from 'node:crypto';
import { createWriteStream, lstatSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { Option } from '@commander-js/extra-typings';
import { type Pet, PetStatus, pageSize } from '@petstore/contract';
import { stringify } from 'csv-stringify/sync';
import { connectPatiently } from '../connect.ts';
import { CommandError, exitCodes } from '../exit-code.ts';
import { fileFormats, formatOf } from '../file-format.ts';
import { onInterruption } from '../interruption.ts';
import { formatJson } from '../output/format-pets.ts';
import { columns } from '../output/table.ts';
import { escapeControls, print, showProgress } from '../terminal.ts';
import { createServiceCommand, waitOption } from './service-command.ts';

const EXAMPLES = `
With --output, pets are written to FILE.partial-ID, which replaces FILE at the end. A spreadsheet would run a name such
as =1+2 as a formula, which --spreadsheet prevents. Import only files written without --spreadsheet.

Examples:
  pets export --output animals.csv
  pets export --status sold | gzip > sold.ndjson.gz
`;

export const exportCommand = createServiceCommand('export')
  .description('write all pets as CSV or NDJSON')
  .addOption(new Option('--status <status>', 'only pets with this status').choices(PetStatus.options))
  .addOption(
    new Option('--format <format>', 'default: by the name of the file, ndjson without a file').choices(
      fileFormats,
    ),
  )
  .option('--output <file>', 'where to write them (default: standard output)')
  .addOption(
    new Option(
      '--spreadsheet',
      'write CSV for Excel: with a byte order mark, and an apostrophe before =, +, - and @',
    ).implies({ format: 'csv' }),
  )
  .addOption(waitOption)
  .addHelpText('after', EXAMPLES);
exportCommand.action(exportPets);

type ExportOptions = ReturnType<typeof exportCommand.opts>;

/** Writes all pets to standard output or to a file. The file is replaced once all pets are written. */
async function exportPets(options: ExportOptions): Promise<void> {
  const { output, status, spreadsheet } = options;
  // The rename at the end would replace a device, a pipe, or a link such as /dev/stdout. `-` usually means stdout.
  if (output === '-' || (output && lstatSync(output, { throwIfNoEntry: false })?.isFile() === false)) {
    const remedy = 'without --output, pets are written to standard output';
    throw new CommandError(`${output} is not a regular file: ${remedy}`, exitCodes.usage);
  }
  const format = options.format ?? (output === undefined ? 'ndjson' : formatOf(output));
  if (spreadsheet && format !== 'csv') {
    throw new CommandError('--spreadsheet writes CSV: leave out --format ndjson', exitCodes.usage);
  }
  const store = await connectPatiently(options);
  let count = 0;

  async function* readText(): AsyncGenerator<string> {
    if (format === 'csv') yield stringify([[...columns]], { bom: spreadsheet === true });
    for await (const { body } of store.pets({ status, pageSize: pageSize.maximum }).pages()) {
      yield format === 'csv' ? formatCsv(body, options) : formatJson(body);
      count += body.length;
    }
  }

  if (output === undefined) {
    for await (const text of readText()) await print(text);
    return;
  }
  // Two exports to one file must not write to one partial file.
  const partial = `${output}.partial-${randomUUID()}`;
  const removePartial = () => rmSync(partial, { force: true });
  onInterruption(() => {
    removePartial();
    return `${output} was not written`;
  });
  try {
    using _progress = showProgress(() => `${count.toLocaleString('en')} pets`);
    await pipeline(readText(), createWriteStream(partial, { flush: true }));
    await rename(partial, output);
  } catch (error) {
    removePartial();
    // Node.js omits the path of an open file, for example when the disk is full.
    throw error instanceof Error && 'errno' in error ? new Error(`${output}: ${error.message}`) : error;
  }
  await print(`${count} pets in ${output}\n`);
}

/**
 * Where a formula begins inside a text, as after `;"` in `x;"=1+2`: before `=`, `+`, `-`, `@` or one of their fullwidth
 * forms. A spreadsheet that separates cells by `;` or tabs ignores our quotes, and begins a cell after each `;`, tab and
 * line break. `escape_formulas` covers the beginning of the text. The lookahead comes first: after the lookbehind, 60,000
 * quotes would take 16 s instead of 8 ms.
 */
const FORMULA_IN_TEXT = /(?=[=+\-@\uff1d\uff0b\uff0d\uff20])(?<=[;\t\r\n]"*)/g;

function formatCsv(pets: readonly Pet[], { output, spreadsheet }: ExportOptions): string {
  const isForTerminal = output === undefined && process.stdout.isTTY;
  const show = (value: unknown) => {
    if (typeof value !== 'string') return value;
    const text = spreadsheet ? value.replaceAll(FORMULA_IN_TEXT, "'") : value;
    return isForTerminal ? escapeControls(text) : text;
  };
  const rows = pets.map((pet) => columns.map((name) => show(pet[name])));
  return stringify(rows, { escape_formulas: spreadsheet === true });
}
