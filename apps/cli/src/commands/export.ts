import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { Option } from '@commander-js/extra-typings';
import { type Pet, PetStatus, pageSize } from '@petstore/contract';
import { stringify } from 'csv-stringify/sync';
import { connectPatiently } from '../connect.ts';
import { type FileFormat, fileFormats, formatOf } from '../file-format.ts';
import { formatJson } from '../output/format-pets.ts';
import { columns, readFields } from '../output/table.ts';
import { escapeControls, print, showCount } from '../terminal.ts';
import { createServiceCommand, waitOption } from './service-command.ts';

interface ExportOptions {
  baseUrl?: string;
  status?: PetStatus;
  format?: FileFormat;
  output?: string;
  wait: number;
}

const EXAMPLES = `
With --output, pets are written to FILE.partial, which replaces FILE at the end.

Examples:
  pets export --output animals.csv
  pets export --status sold | gzip > sold.ndjson.gz
`;

export const exportCommand = () =>
  createServiceCommand('export')
    .description('write all pets as CSV or NDJSON')
    .addOption(new Option('--status <status>', 'only pets with this status').choices(PetStatus.options))
    .addOption(
      new Option('--format <format>', 'default: by the name of the file, ndjson without a file').choices(
        fileFormats,
      ),
    )
    .option('--output <file>', 'where to write them (default: standard output)')
    .addOption(waitOption)
    .addHelpText('after', EXAMPLES)
    .action(exportPets);

/** Writes all pets to standard output or to a file. The file is replaced once all pets are written. */
async function exportPets(options: ExportOptions): Promise<void> {
  const { output, status } = options;
  const format = options.format ?? (output === undefined ? 'ndjson' : formatOf(output));
  const store = await connectPatiently(options, 1);
  let count = 0;

  async function* readText(isForTerminal: boolean): AsyncGenerator<string> {
    if (format === 'csv') yield stringify([columns]);
    for await (const { body } of store.pets({ status, pageSize: pageSize.maximum }).pages()) {
      if (format === 'csv') yield formatCsv(body, isForTerminal);
      else yield body.map((pet) => `${formatJson(pet)}\n`).join('');
      count += body.length;
    }
  }

  if (output === undefined) {
    for await (const text of readText(process.stdout.isTTY)) await print(text);
    return;
  }
  const partial = `${output}.partial`;
  {
    using _count = showCount(() => `${count} pets`);
    await pipeline(readText(false), createWriteStream(partial, { flush: true }));
  }
  await rename(partial, output);
  await print(`${count} pets in ${output}\n`);
}

/** @param isForTerminal escapes control characters */
function formatCsv(pets: readonly Pet[], isForTerminal: boolean): string {
  const rows = pets.map(readFields);
  return stringify(isForTerminal ? rows.map((fields) => fields.map(escapeControls)) : rows);
}
