import { constants } from 'node:os';
import { DatabaseFault } from '../database/database-fault.ts';
import { reasonOf } from '../database/reason.ts';
import { OperatorError } from '../process/operator-error.ts';
import { onSignal } from '../process/stop-signals.ts';

/**
 * Runs work that leaves nothing behind when it is interrupted.
 * @throws OperatorError when the work fails for lack of a file, space, a permission or a lock
 */
export async function runInterruptible(work: (interrupted: AbortSignal) => Promise<void>): Promise<void> {
  const interrupted = new AbortController();
  onSignal((signal) => {
    // The exit code is that of a shell: 130 after Ctrl-C, 143 after SIGTERM.
    const exitCode = 128 + constants.signals[signal];
    interrupted.abort(new OperatorError(`interrupted by ${signal}, nothing was changed`, exitCode));
  });
  try {
    await work(interrupted.signal);
  } catch (error) {
    // Errors of the system or a database have a code.
    const isForOperators = error instanceof DatabaseFault || (error instanceof Error && 'code' in error);
    throw isForOperators ? new OperatorError(reasonOf(error)) : error;
  }
}
