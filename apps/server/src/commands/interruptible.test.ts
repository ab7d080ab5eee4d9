import { SqliteError } from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { DatabaseFault } from '../database/database-fault.ts';
import { OperatorError } from '../process/operator-error.ts';
import { runInterruptible } from './interruptible.ts';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const before = new Set(SIGNALS.flatMap((name) => process.listeners(name)));
const addedTo = (name: NodeJS.Signals) => process.listeners(name).filter((listener) => !before.has(listener));

// Other files share the process.
afterEach(() => {
  for (const name of SIGNALS) for (const listener of addedTo(name)) process.off(name, listener);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('work that %s interrupts ends with the exit code %i of a shell', async (signal, exitCode) => {
  const running = runInterruptible(
    (interrupted) =>
      new Promise((_, reject) => interrupted.addEventListener('abort', () => reject(interrupted.reason))),
  );
  // `process.emit` would also call the listener of another test's browser, which ends the process.
  for (const listener of addedTo(signal)) Reflect.apply(listener, process, [signal]);
  const message = `interrupted by ${signal}, nothing was changed`;
  await expect(running).rejects.toMatchObject({ message, exitCode });
});

test('a fault of the database becomes an OperatorError of one line, and a bug stays as it is', async () => {
  for (const error of [new DatabaseFault('two\nlines'), new SqliteError('two\nlines', 'SQLITE_FULL')]) {
    const running = runInterruptible(() => Promise.reject(error));
    await expect(running).rejects.toThrow(new OperatorError('two lines'));
  }
  const bug = new TypeError('a bug');
  await expect(runInterruptible(() => Promise.reject(bug))).rejects.toBe(bug);
});
