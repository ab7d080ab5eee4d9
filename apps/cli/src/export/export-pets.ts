import { lstat, rm } from 'node:fs/promises';
import type { PetStore } from '@petstore/client';
import { createNodeFetch } from '@petstore/client/node';
import { type PetStatus, pageSize } from '@petstore/contract';
import { connectPatiently } from '../connect.ts';
import { CommandError, describeError, exitCodeOf, exitCodes } from '../exit-code.ts';
import { type FileFormat, formatOf } from '../file-format.ts';
import { renameDurably } from '../files.ts';
import { JournaledFile } from '../journaled-file.ts';
import { lockJournal } from '../lock-journal.ts';
import { ProgressBar } from '../progress-bar.ts';
import { catchStopSignals } from '../stop-signals.ts';
import { print } from '../terminal.ts';
import { exportFormats } from './format-export.ts';
import { type ExportState, readJournal, saveJournal } from './journal.ts';
import { readAhead } from './read-ahead.ts';

/** How much is written again at most after a kill. */
const MS_PER_SAVE = 1_000;

export interface ExportOptions {
  baseUrl?: string | undefined;
  status?: PetStatus | undefined;
  /** @default what the name of the file tells, for standard output NDJSON */
  format?: FileFormat | undefined;
  /** @default standard output */
  output?: string | undefined;
  /** How long to wait for a service that is away, in seconds. */
  wait: number;
  /** @default only where standard error is a terminal */
  progress?: boolean | undefined;
}

/** Writes all pets to standard output, or to a file, which has its name once it is complete. */
export async function exportPets(options: ExportOptions): Promise<void> {
  const { output, status } = options;
  const format = options.format ?? (output === undefined ? 'ndjson' : formatOf(output));
  const { store, baseUrl } = await connectPatiently(options, { fetch: createNodeFetch({ connections: 1 }) });
  const first: ExportState = {
    journal: 'pets export 1',
    baseUrl,
    format,
    ...(status && { status }),
    bytes: 0,
    count: 0,
    isComplete: false,
  };
  if (output === undefined) {
    await print(exportFormats[format].header);
    const pages = readPages(store, first, options);
    for await (const { body } of pages) await print(exportFormats[format].format(body, process.stdout.isTTY));
  } else {
    await exportToFile(output, store, first, options);
  }
}

async function exportToFile(
  output: string,
  store: PetStore,
  first: ExportState,
  options: ExportOptions,
): Promise<void> {
  const partial = `${output}.partial`;
  const journal = `${output}.journal`;
  await using _lock = await lockJournal(journal);
  await expectMissing(output);
  const earlier = await readJournal(journal, first);
  const state = earlier ?? first;
  {
    await using file = await JournaledFile.open(partial, state.bytes, earlier !== undefined);
    using signals = catchStopSignals();
    using _bar = showProgress(state, options);
    try {
      if (!state.isComplete)
        await writePages(file, journal, state, readPages(store, state, options, signals.stop));
    } catch (error) {
      const [reason, exitCode] = signals.stop.aborted
        ? ['Interrupted', signals.exitCode()]
        : [describeError(error), exitCodeOf(error)];
      const count = `${state.count} pets are in ${partial}`;
      throw new CommandError(`${reason}. ${count}: run the same command again to go on`, exitCode);
    }
  }
  await expectMissing(output);
  await renameDurably(partial, output);
  await rm(journal, { force: true });
  await print(`${state.count} pets in ${output}\n`);
}

const readPages = (
  store: PetStore,
  { cursor }: ExportState,
  { status }: ExportOptions,
  signal?: AbortSignal,
) => readAhead(store.pets({ status, cursor, pageSize: pageSize.maximum }, { signal }).pages());

/** Appends pages to the file. The journal follows it, never ahead of what is durable. */
async function writePages(
  file: JournaledFile,
  journal: string,
  state: ExportState,
  pages: ReturnType<typeof readPages>,
): Promise<void> {
  const { header, format } = exportFormats[state.format];
  const save = async () => {
    await file.sync();
    state.bytes = file.bytes;
    await saveJournal(journal, state);
  };
  // Before there is a file, so that a later run knows it as its own.
  await save();
  if (state.bytes === 0) await file.append(header);
  let savedAt = performance.now();
  try {
    for await (const { body, next } of pages) {
      await file.append(format(body));
      state.count += body.length;
      if (next === undefined) state.isComplete = true;
      else state.cursor = next;
      if (performance.now() - savedAt < MS_PER_SAVE) continue;
      await save();
      savedAt = performance.now();
    }
  } finally {
    await save();
  }
}

async function expectMissing(path: string): Promise<void> {
  const exists = await lstat(path).then(
    () => true,
    () => false,
  );
  if (exists) throw new CommandError(`${path} exists. Choose another name, or delete it`, exitCodes.usage);
}

function showProgress(state: ExportState, { progress }: ExportOptions): ProgressBar | undefined {
  if (!(progress ?? process.stderr.isTTY)) return undefined;
  return new ProgressBar(() => ({ share: undefined, count: state.count, note: '' }));
}
