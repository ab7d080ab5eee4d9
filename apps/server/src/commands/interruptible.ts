import { DatabaseFault } from '../database/database-fault.ts';
import { reasonOf } from '../database/reason.ts';
import { OperatorError } from '../operator-error.ts';
import { watchOutput } from './output.ts';

/**
 * Runs work that leaves nothing behind when it is interrupted.
 * @param work looks at the signal between its steps
 * @throws OperatorError in one line when it fails for want of a file, space, a permission or a lock
 */
export async function runInterruptible(work: (interrupted: AbortSignal) => Promise<void>): Promise<void> {
  watchOutput();
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () =>
      interrupted.abort(new OperatorError(`interrupted by ${signal}, nothing was changed`)),
    );
  }
  try {
    await work(interrupted.signal);
  } catch (error) {
    // An error with a code is one of the system or of a database.
    const isForOperators = error instanceof DatabaseFault || (error instanceof Error && 'code' in error);
    throw isForOperators ? new OperatorError(reasonOf(error)) : error;
  }
}
