import { exitCodes } from '../exit-code.ts';
import { type FileFormat, formatOf } from '../file-format.ts';
import { openInput } from '../input/open-input.ts';
import { print } from '../terminal.ts';
import { Concurrency } from './concurrency.ts';
import type { ErrorSink } from './error-file.ts';
import { importRecords } from './import-records.ts';
import { newImport } from './journal.ts';

/** Reads a file as an import does, and prints the records that would be refused. Sends and writes nothing. */
export async function checkFile(path: string, options: { format?: FileFormat | undefined }): Promise<void> {
  const state = newImport({ baseUrl: '', errorFile: '' });
  await importRecords(openInput(path, options.format ?? formatOf(path), state.seed), {
    state,
    errors: createPrinter(),
    concurrency: new Concurrency(1),
    addPet: async () => undefined,
    save: async () => {},
    signal: new AbortController().signal,
  });
  await print(`${state.added} would be added, ${state.refused} refused\n`);
  if (state.refused > 0) process.exitCode = exitCodes.refused;
}

function createPrinter(): ErrorSink {
  let lines: string[] = [];
  return {
    bytes: 0,
    append: (line) => lines.push(line),
    async flush() {
      const text = lines.join('');
      lines = [];
      await print(text);
    },
  };
}
