import { DatabaseFault } from '../database/database-fault.ts';
import { reasonOf } from '../database/reason.ts';
import type { Progress } from '../database/sqlite/backup.ts';
import { OperatorError } from '../operator-error.ts';
import { print } from './output.ts';

/** How often the progress of a step is shown on a terminal, and in a log. */
const TERMINAL_INTERVAL_MS = 100;
const LOG_INTERVAL_MS = 5_000;

const BAR_WIDTH = 30;

type Output = Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean };

/** Shows the progress of a command on standard error: with a bar on a terminal, and in plain lines elsewhere. */
export class ProgressDisplay implements Progress {
  readonly #output: Output;
  readonly #signal: AbortSignal | undefined;
  #step = '';
  #shownAt = 0;

  /** @param options.signal ends the step that runs, at its next update */
  constructor({ output = process.stderr, signal }: { output?: Output; signal?: AbortSignal } = {}) {
    this.#output = output;
    this.#signal = signal;
  }

  begin(step: string): void {
    if (this.#output.isTTY) this.#output.write(`${this.#step === '' ? '' : '\n'}${step}`);
    else this.#output.write(`${step}\n`);
    this.#step = step;
    this.#shownAt = performance.now();
  }

  update(share: number): void {
    this.#signal?.throwIfAborted();
    const { isTTY } = this.#output;
    const isDone = share >= 1;
    if (!isDone && performance.now() < this.#shownAt + (isTTY ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS))
      return;
    this.#shownAt = performance.now();
    const percent = `${Math.floor(share * 100)} %`;
    if (isTTY) this.#output.write(`\r\x1b[K${this.#step} ${bar(share)} ${percent}`);
    else if (!isDone) this.#output.write(`${this.#step}: ${percent}\n`);
  }

  /** Ends the line of the bar. */
  end(): void {
    if (this.#output.isTTY && this.#step !== '') this.#output.write('\n');
  }
}

function bar(share: number): string {
  const filled = Math.round(share * BAR_WIDTH);
  return '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
}

/**
 * Runs work that shows its progress. A signal ends it unless it is about to be done anyway.
 *
 * @param work returns the lines that say what it has done
 */
export async function withProgress(
  work: (progress: Progress, interrupted: AbortSignal) => Promise<readonly string[]>,
): Promise<void> {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () =>
      interrupted.abort(new OperatorError(`interrupted by ${signal}, nothing was changed`)),
    );
  }
  const display = new ProgressDisplay({ signal: interrupted.signal });
  try {
    const lines = await work(display, interrupted.signal);
    display.end();
    for (const line of lines) print(line);
  } catch (error) {
    display.end();
    // An error with a code is one of the system or of a database: no space, no permission, locked.
    const isForOperators = error instanceof DatabaseFault || (error instanceof Error && 'code' in error);
    throw isForOperators ? new OperatorError(reasonOf(error)) : error;
  }
}
