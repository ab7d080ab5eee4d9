import { inspect } from 'node:util';
import { OperatorError } from '../process/operator-error.ts';

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Handles errors of standard output, which would end the process. A reader that has gone away is no failure. */
export function watchOutput(): void {
  process.stdout.once('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') fail(`cannot write to standard output: ${message}`);
  });
}

const CLEAR_LINE = '\r\u001b[K';

/** Writes to standard error, because the result may go to a program. On a terminal it replaces the progress. */
export function note(line: string): void {
  process.stderr.write(`${process.stderr.isTTY ? CLEAR_LINE : ''}${line}\n`);
}

const PROGRESS_INTERVAL_MS = 500;

/**
 * Shows the progress of work in one line, if standard error is a terminal.
 * @param work is given a function that takes the share that is done, from 0 to 1
 */
export async function withProgress<Result>(
  work: (onProgress: (share: number) => void) => Promise<Result>,
): Promise<Result> {
  const { stderr } = process;
  const start = performance.now();
  let share = 0;
  function show(): void {
    const leftSeconds = Math.ceil((((performance.now() - start) / share) * (1 - share)) / 1_000);
    const left = share > 0 ? `, ${leftSeconds} s left` : '';
    stderr.write(`${CLEAR_LINE}${Math.floor(share * 100)} %${left}`);
  }
  const timer = stderr.isTTY ? setInterval(show, PROGRESS_INTERVAL_MS) : undefined;
  try {
    return await work((done) => {
      share = done;
    });
  } finally {
    clearInterval(timer);
    if (timer) stderr.write(CLEAR_LINE);
  }
}

export function fail(reason: string, exitCode = 1): void {
  note(`petstore: ${reason}`);
  process.exitCode = exitCode;
}

/** Any error other than an OperatorError is a bug, and is printed with its stack. */
export function failWith(error: unknown): void {
  if (error instanceof OperatorError) fail(error.message.replaceAll('\n', '\npetstore: '), error.exitCode);
  else fail(inspect(error));
}
