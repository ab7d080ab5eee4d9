import { once } from 'node:events';
import { runInProcess } from '@petstore/test-support/run-in-process';
import { SqliteError } from 'better-sqlite3';
import { expect, test } from 'vitest';
import { DatabaseFault } from '../database/database-fault.ts';
import { OperatorError } from '../process/operator-error.ts';
import { runInterruptible } from './interruptible.ts';
import { failWith } from './output.ts';

/** Runs work, and removes its listeners of signals, because other files share the process. */
const run = (...work: Parameters<typeof runInterruptible>) =>
  runInProcess(() => runInterruptible(...work), {});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('work that %s interrupts ends with the exit code %i of a shell', async (signal, exitCode) => {
  const running = run((interrupted) => once(interrupted, 'abort').then(() => interrupted.throwIfAborted()));
  // `process.emit` would also call the listener of another test's browser, which ends the process.
  Reflect.apply(process.listeners(signal).at(-1) ?? expect.fail(), process, [signal]);
  const message = `interrupted by ${signal}, nothing was changed`;
  await expect(running).rejects.toMatchObject({ message, exitCode });
});

test('a fault of the database becomes an OperatorError of one line, and a bug stays as it is, and is printed with its stack', async () => {
  for (const error of [new DatabaseFault('two\nlines'), new SqliteError('two\nlines', 'SQLITE_FULL')])
    await expect(run(() => Promise.reject(error))).rejects.toThrow(new OperatorError('two lines'));
  const bug = new TypeError('a bug');
  await expect(run(() => Promise.reject(bug))).rejects.toBe(bug);
  expect((await runInProcess(async () => failWith(bug), {})).stderr).toMatch(/: a bug\npetstore: {5}at /);
});
