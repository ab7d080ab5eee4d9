import { createHash, randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { createReadStream } from 'node:fs';
import { isPetStoreError, type NewPet, type PetStore } from '@petstore/client';
import { createNodeFetch } from '@petstore/client/node';
import { connectPatiently } from '../connect.ts';
import { CommandError, describeError, exitCodeOf, exitCodes } from '../exit-code.ts';
import { type FileFormat, formatOf } from '../file-format.ts';
import { lockJournal } from '../lock-journal.ts';
import { ProgressBar } from '../progress-bar.ts';
import { catchStopSignals } from '../stop-signals.ts';
import { print } from '../terminal.ts';
import { Concurrency } from './concurrency.ts';
import { ErrorFile } from './error-file.ts';
import { importRecords, type Refusal } from './import-records.ts';
import { skipTo } from './input-record.ts';
import { type ImportState, newImport, readJournal, saveJournal } from './journal.ts';
import { openInput, STDIN } from './open-input.ts';

/**
 * How long after its interruption an import can be resumed without a doubt. The service recognises a repeated
 * creation for 24 hours at least; an hour is for requests that waited, and for clocks that differ.
 */
const RESUMABLE_MS = 23 * 60 * 60 * 1000;

export interface ImportFileOptions {
  baseUrl?: string | undefined;
  /** @default what the name of the file tells */
  format?: FileFormat | undefined;
  /** @default the file with `.journal`; for standard input none */
  journal?: string | undefined;
  /** @default the file with `.errors.ndjson` */
  errors?: string | undefined;
  /** Add the pets once more, after an import that is complete. */
  again?: boolean | undefined;
  /** What to do with lines that the service can no longer tell to be added. @default the import is refused */
  uncertain?: 'send' | 'skip' | undefined;
  /** Requests in flight at most. */
  concurrency: number;
  /** How long to wait for a service that is away, in seconds. */
  wait: number;
  /** @default only where standard error is a terminal */
  progress?: boolean | undefined;
}

/** Adds the pets of a file, or goes on where an interrupted import of it ended. Prints how many. */
export async function importFile(path: string, options: ImportFileOptions): Promise<void> {
  const format = options.format ?? formatOf(path);
  const concurrency = new Concurrency(options.concurrency);
  const { store, baseUrl } = await connectPatiently(options, {
    fetch: createNodeFetch({ connections: options.concurrency }),
    onRetry: ({ delayMs }) => concurrency.slowDown(delayMs),
  });
  const journal = options.journal ?? (path === STDIN ? undefined : `${path}.journal`);
  await using _lock = journal === undefined ? undefined : await lockJournal(journal);
  const input = path === STDIN ? undefined : await digestFile(path);
  const errorPath = options.errors ?? `${path === STDIN ? 'stdin' : path}.errors.ndjson`;
  const earlier = journal === undefined ? undefined : await readJournal(journal);
  if (earlier) expectSameImport(`${journal}`, earlier, baseUrl, input);
  const state = begin(earlier, options, newImport(baseUrl, input));

  if (!state.isComplete) {
    const skipThroughLine = decideUncertainLines(state, options);
    const errors = await ErrorFile.open(errorPath, state.errorBytes);
    using signals = catchStopSignals();
    using _bar = showProgress(state, options);
    try {
      await importRecords(skipTo(state.done, openInput(path, format, state.seed)), {
        state,
        errors,
        concurrency,
        skipThroughLine,
        addPet: createAddPet(store, signals.giveUp),
        save: async (snapshot) => {
          if (journal) await saveJournal(journal, snapshot);
        },
        signal: signals.stop,
      });
    } catch (error) {
      if (!signals.stop.aborted) throw stopped(describeError(error), exitCodeOf(error), state);
    }
    if (signals.stop.aborted) throw stopped('Interrupted', signals.exitCode(), state);
  }
  await print(
    `${state.added} added, ${state.refused} refused${state.refused > 0 ? `: see ${errorPath}` : ''}\n`,
  );
  if (state.refused > 0) process.exitCode = exitCodes.refused;
}

/** @param giveUp aborts the requests in flight */
function createAddPet(store: PetStore, giveUp: AbortSignal) {
  // Each request in flight listens to it.
  setMaxListeners(0, giveUp);
  return async (pet: NewPet, idempotencyKey: string): Promise<Refusal | undefined> => {
    try {
      await store.createPet(pet, { idempotencyKey, signal: giveUp });
      return undefined;
    } catch (error) {
      if (!isPetStoreError(error) || exitCodeOf(error) !== exitCodes.refused) throw error;
      return { code: error.code, message: describeError(error) };
    }
  };
}

async function digestFile(path: string): Promise<{ bytes: number; sha256: string }> {
  const digest = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 })) {
      digest.update(chunk);
      bytes += chunk.length;
    }
  } catch (error) {
    throw new CommandError(describeError(error), exitCodes.usage);
  }
  return { bytes, sha256: digest.digest('hex') };
}

/** @throws CommandError when the journal is that of another import */
function expectSameImport(
  journal: string,
  state: ImportState,
  baseUrl: string,
  input: ImportState['input'],
): void {
  const refuse = (reason: string) => {
    throw new CommandError(
      `${reason} (${journal}). To begin a new import, delete it`,
      exitCodes.notResumable,
    );
  };
  if (state.baseUrl !== baseUrl) refuse(`The journal is that of an import into ${state.baseUrl}`);
  if (state.input?.sha256 !== input?.sha256) refuse('The file is not the one that the journal tells of');
}

/** Goes on with an earlier import, or begins one. With other keys, the service takes its pets for other ones. */
function begin(
  earlier: ImportState | undefined,
  { again }: ImportFileOptions,
  { baseUrl, input, ...first }: ImportState,
): ImportState {
  if (!again) return earlier ?? { baseUrl, input, ...first };
  if (earlier?.isComplete) return newImport(baseUrl, input, randomUUID());
  throw new CommandError(
    'There is no complete import to repeat: run without --again',
    exitCodes.notResumable,
  );
}

/** @returns the line through which records are not sent. @throws CommandError when the user must decide */
function decideUncertainLines(state: ImportState, { uncertain }: ImportFileOptions): number {
  const { done, sentLine, savedAt } = state;
  if (sentLine <= done.line || Date.now() - Date.parse(savedAt) < RESUMABLE_MS || uncertain === 'send')
    return 0;
  if (uncertain === 'skip') return sentLine;
  throw new CommandError(
    `The import was interrupted at ${savedAt}, and the service does not recognise any more whether lines ` +
      `${done.line + 1} to ${sentLine} were added. Choose: --uncertain skip or --uncertain send`,
    exitCodes.notResumable,
  );
}

function showProgress(state: ImportState, { progress }: ImportFileOptions): ProgressBar | undefined {
  if (!(progress ?? process.stderr.isTTY)) return undefined;
  return new ProgressBar(() => ({
    share: state.input && state.input.bytes > 0 ? state.done.bytes / state.input.bytes : undefined,
    count: state.added + state.refused,
    note: state.refused > 0 ? `${state.refused} refused` : '',
  }));
}

function stopped(reason: string, exitCode: CommandError['exitCode'], { done }: ImportState): CommandError {
  return new CommandError(
    `${reason}. Done up to line ${done.line}: run the same command again to go on`,
    exitCode,
  );
}
