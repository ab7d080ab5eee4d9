import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createNodeFetch } from '@petstore/client/node';
import { Pet, type PetStatus, pageSize } from '@petstore/contract';
import { stringify } from 'csv-stringify/sync';
import { connectPatiently } from './connect.ts';
import { type FileFormat, formatOf } from './file-format.ts';
import { formatJson } from './output/format-pets.ts';
import { escapeControls, print, showCount } from './terminal.ts';

export interface ExportOptions {
  baseUrl?: string | undefined;
  status?: PetStatus | undefined;
  /** @default what the name of the file tells, for standard output NDJSON */
  format?: FileFormat | undefined;
  /** @default standard output */
  output?: string | undefined;
  /** How long each request waits for a service that is away, in seconds. */
  wait: number;
}

const columns = Object.keys(Pet.shape);

/** Writes all pets to standard output, or to a file, which is replaced once all of them are there. */
export async function exportPets(options: ExportOptions): Promise<void> {
  const { output, status } = options;
  const format = options.format ?? (output === undefined ? 'ndjson' : formatOf(output));
  const store = await connectPatiently(options, createNodeFetch({ connections: 1 }));
  const pages = store.pets({ status, pageSize: pageSize.maximum }).pages();
  let count = 0;

  async function* readText(isForTerminal: boolean): AsyncGenerator<string> {
    if (format === 'csv') yield stringify([columns]);
    for await (const { body } of pages) {
      yield format === 'csv'
        ? formatCsv(body, isForTerminal)
        : body.map((pet) => `${formatJson(pet)}\n`).join('');
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

/** @param isForTerminal shows what a terminal would obey, in place of writing it as it is */
function formatCsv(pets: readonly Pet[], isForTerminal: boolean): string {
  const rows = pets.map((pet) => {
    const values = new Map<string, unknown>(Object.entries(pet));
    const fields = columns.map((name) => String(values.get(name) ?? ''));
    return isForTerminal ? fields.map(escapeControls) : fields;
  });
  return stringify(rows);
}
