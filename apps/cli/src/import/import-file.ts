import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { isPetStoreError, type NewPet, type PetStore } from '@petstore/client';
import { createNodeFetch } from '@petstore/client/node';
import { connectPatiently } from '../connect.ts';
import { CommandError, describeError, exitCodeOf, exitCodes } from '../exit-code.ts';
import { type FileFormat, formatOf } from '../file-format.ts';
import { skipTo } from '../input/input-record.ts';
import { openInput, STDIN } from '../input/open-input.ts';
import { JournaledFile } from '../journaled-file.ts';
import { lockJournal } from '../lock-journal.ts';
import { ProgressBar } from '../progress-bar.ts';
import { catchStopSignals } from '../stop-signals.ts';
import { print } from '../terminal.ts';
import { Concurrency } from './concurrency.ts';
import { ErrorFile } from './error-file.ts';
import { importRecords, type Refusal } from './import-records.ts';
import { type ImportState, newImport, saveJournal } from './journal.ts';
import { decideUncertainLines, type ResumeOptions, resumeImport } from './resume.ts';

export interface ImportFileOptions extends ResumeOptions {
  baseUrl?: string | undefined;
  /** @default what the name of the file tells */
  format?: FileFormat | undefined;
  /** @default the file with `.journal`; for standard input none */
  journal?: string | undefined;
  /** @default the file with `.errors.ndjson` */
  errors?: string | undefined;
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
    // Undici sends nothing on a connection until two turns of the event loop after its last response. With no more
    // connections than requests, the service would wait meanwhile: a request that finds an idle one leaves sooner.
    fetch: createNodeFetch({ connections: 2 * options.concurrency }),
    onRetry: ({ delayMs }) => concurrency.slowDown(delayMs),
  });
  const journal = options.journal ?? (path === STDIN ? undefined : `${path}.journal`);
  const errorPath = options.errors ?? `${path === STDIN ? 'stdin' : path}.errors.ndjson`;
  if (journal !== undefined && resolve(journal) === resolve(errorPath))
    throw new CommandError('--errors and --journal must be different files', exitCodes.usage);
  await using _lock = journal === undefined ? undefined : await lockJournal(journal);
  const input = path === STDIN ? undefined : await digestFile(path);
  const identity = { baseUrl, input, errorFile: relative(dirname(journal ?? errorPath), errorPath) };
  const { state, ownsErrorFile } =
    journal === undefined
      ? { state: newImport(identity), ownsErrorFile: false }
      : await resumeImport(journal, identity, options);

  if (!state.isComplete) {
    const skipThroughLine = decideUncertainLines(state, options);
    await using errorFile = await JournaledFile.open(errorPath, state.errorBytes, ownsErrorFile);
    using signals = catchStopSignals();
    using _bar = showProgress(state, options);
    try {
      await importRecords(skipTo(state.done, openInput(path, format, state.seed)), {
        state,
        errors: new ErrorFile(errorFile),
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
  const reference = state.refused > 0 ? `: see ${errorPath}` : '';
  await print(`${state.added} added, ${state.refused} refused${reference}\n`);
  if (state.refused > 0) process.exitCode = exitCodes.refused;
}

/** @param giveUp aborts the requests in flight */
function createAddPet(store: PetStore, giveUp: AbortSignal) {
  // One for each request in flight: a listener is added and removed in a time that grows with their number.
  const signals: AbortSignal[] = [];
  return async (pet: NewPet, idempotencyKey: string): Promise<Refusal | undefined> => {
    const signal = signals.pop() ?? AbortSignal.any([giveUp]);
    try {
      await store.createPet(pet, { idempotencyKey, signal });
      return undefined;
    } catch (error) {
      if (!isPetStoreError(error) || exitCodeOf(error) !== exitCodes.refused) throw error;
      return { code: error.code, message: describeError(error) };
    } finally {
      signals.push(signal);
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
