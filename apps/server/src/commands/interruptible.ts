import { DatabaseFault } from '../database/database-fault.ts';
import { reasonOf } from '../database/reason.ts';
import { OperatorError } from '../process/operator-error.ts';
import { SIGNALS } from '../process/stop-signals.ts';
import { watchOutput } from './output.ts';

/**
 * Runs work that leaves nothing behind when it is interrupted.
 * @throws OperatorError when the work fails for lack of a file, space, a permission or a lock
 */
export async function runInterruptible(work: (interrupted: AbortSignal) => Promise<void>): Promise<void> {
  watchOutput();
  const interrupted = new AbortController();
  for (const signal of SIGNALS) {
    process.once(signal, () =>
      interrupted.abort(new OperatorError(`interrupted by ${signal}, nothing was changed`)),
    );
  }
  try {
    await work(interrupted.signal);
  } catch (error) {
    // Errors of the system or a database have a code.
    const isForOperators = error instanceof DatabaseFault || (error instanceof Error && 'code' in error);
    throw isForOperators ? new OperatorError(reasonOf(error)) : error;
  }
}
