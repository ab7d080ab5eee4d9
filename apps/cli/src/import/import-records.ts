import type { NewPet } from '@petstore/client';
import type { Content, InputRecord, Position } from '../input/input-record.ts';
import { escapeControls } from '../terminal.ts';
import type { Concurrency } from './concurrency.ts';
import type { ErrorSink } from './error-file.ts';
import type { ImportState } from './journal.ts';

/** How many records the longest prefix that is done may be behind, and how many lines a save allows to be sent. */
const WINDOW = 2_000;
/** How old the journal becomes at most while records are being sent. */
const MS_PER_SAVE = 1_000;
const UNCERTAIN = { code: 'uncertain', problem: 'It may have been added by an earlier run' };
/** Enough of a refused record to recognise it. */
const MAX_ERROR_TEXT = 1_000;

/** Why a record was not added. */
export interface Refusal {
  code: string;
  message: string;
}

/** A record that was read and is not yet counted. */
interface Pending {
  after: Position;
  /** A line for the file of errors, or `''` when it is added; `undefined` while it is in flight. */
  outcome: string | undefined;
}

export interface ImportOptions {
  /** Where an earlier run ended. It is changed as the import goes on. */
  state: ImportState;
  errors: ErrorSink;
  concurrency: Concurrency;
  /** Records up to this line may have been added, and the service cannot tell any more: they are refused. */
  skipThroughLine?: number | undefined;
  /** Adds a pet once. @returns why the service refused it, if it did; throws when the import cannot go on */
  addPet(pet: NewPet, idempotencyKey: string): Promise<Refusal | undefined>;
  /** Makes the state durable. */
  save(state: ImportState): Promise<void>;
  /** Ends the import early. What is in flight is waited for. */
  signal: AbortSignal;
}

/**
 * Adds the pets of a file, many at a time. Memory does not depend on the length of the file.
 *
 * @throws the first error of `addPet`, after the others in flight have ended and the state is saved
 */
export async function importRecords(
  records: AsyncIterable<InputRecord>,
  { state, errors, concurrency, skipThroughLine = 0, addPet, save, signal }: ImportOptions,
): Promise<void> {
  const pending: Pending[] = [];
  const inFlight = new Set<Promise<void>>();
  const failure = new AbortController();
  const stop = AbortSignal.any([signal, failure.signal]);
  /** The last line that an earlier run may have sent. */
  const uncertainLine = state.sentLine;
  let sentLine = state.sentLine;
  /** The last line that may be sent: a journal on the disk says that it may have been. */
  let reservedLine = state.sentLine;
  let saving: Promise<void> | undefined;
  let savedAt = Number.NEGATIVE_INFINITY;

  function settle(entry: Pending, outcome: string): void {
    entry.outcome = outcome;
    let settled = 0;
    for (const { after, outcome } of pending) {
      if (outcome === undefined) break;
      settled += 1;
      state.done = after;
      state[outcome === '' ? 'added' : 'refused'] += 1;
      if (outcome !== '') errors.append(outcome);
    }
    pending.splice(0, settled);
  }

  async function saveState(line: number): Promise<void> {
    state.sentLine = Math.max(line, state.done.line);
    // The age of the journal is that of its uncertain lines. It stays that of an earlier run until its are done.
    if (state.done.line >= uncertainLine) state.savedAt = new Date().toISOString();
    state.errorBytes = errors.bytes;
    // Requests end while this is written: what is saved is one moment.
    const snapshot = { ...state };
    savedAt = performance.now();
    await errors.flush();
    await save(snapshot);
    reservedLine = snapshot.sentLine;
  }

  /**
   * Saves, unless a save is under way. Records are sent meanwhile: a disk takes as long for a save as the service
   * for hundreds of them.
   */
  function startSaving(line: number): Promise<void> {
    saving ??= saveState(line)
      .catch((error: unknown) => failure.abort(error))
      .finally(() => {
        saving = undefined;
      });
    return saving;
  }

  /** Says in the journal that a line may have been sent, before it is. */
  async function reserve(line: number): Promise<void> {
    while (pending.length >= WINDOW && !stop.aborted) await Promise.race(inFlight);
    const isDue = line + WINDOW / 2 > reservedLine || performance.now() - savedAt >= MS_PER_SAVE;
    if (isDue && !stop.aborted) void startSaving(line + WINDOW);
    while (line > reservedLine && !stop.aborted) await startSaving(line + WINDOW);
  }

  async function send(record: InputRecord, pet: NewPet, entry: Pending): Promise<void> {
    try {
      const refusal = await addPet(pet, record.after.digest);
      settle(entry, refusal ? formatRefusal(record, refusal) : '');
    } catch (error) {
      failure.abort(error);
    } finally {
      concurrency.release();
    }
  }

  try {
    for await (const record of records) {
      await reserve(record.lastLine);
      if (stop.aborted) break;
      const entry: Pending = { after: record.after, outcome: undefined };
      const content: Content = record.lastLine <= skipThroughLine ? UNCERTAIN : record.read();
      if ('problem' in content) {
        pending.push(entry);
        const { code = 'invalid_record', problem } = content;
        settle(entry, formatRefusal(record, { code, message: problem }));
        continue;
      }
      await concurrency.acquire(stop);
      if (stop.aborted) break;
      pending.push(entry);
      sentLine = record.lastLine;
      const sending = send(record, content.pet, entry).finally(() => inFlight.delete(sending));
      inFlight.add(sending);
    }
    await Promise.all(inFlight);
    state.isComplete = !stop.aborted;
  } finally {
    await Promise.all(inFlight);
    await saving;
    await saveState(sentLine);
  }
  failure.signal.throwIfAborted();
}

/** A line for the file of errors. */
function formatRefusal({ line, lastLine, text }: InputRecord, refusal: Refusal): string {
  const input = text.length > MAX_ERROR_TEXT ? `${text.slice(0, MAX_ERROR_TEXT)}…` : text;
  return `${escapeControls(JSON.stringify({ line, ...(lastLine > line && { lastLine }), ...refusal, input }))}\n`;
}
