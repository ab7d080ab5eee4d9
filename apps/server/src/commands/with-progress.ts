import { DatabaseFault } from '@petstore/database/database-fault';
import { reasonOf } from '@petstore/database/reason';
import type { Progress } from '@petstore/database/sqlite/backup';
import { OperatorError } from '../operator-error.ts';
import { print } from './output.ts';
import { ProgressDisplay } from './progress.ts';

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
