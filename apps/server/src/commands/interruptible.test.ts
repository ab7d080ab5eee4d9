import { expect, onTestFinished, test } from 'vitest';
import { DatabaseFault } from '../database/database-fault.ts';
import { OperatorError } from '../process/operator-error.ts';
import { runInterruptible } from './interruptible.ts';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('work that %s interrupts ends with the exit code %i of a shell', async (signal, exitCode) => {
  const before = SIGNALS.map((name) => process.listeners(name));
  onTestFinished(() => {
    for (const [index, name] of SIGNALS.entries())
      for (const listener of process.listeners(name))
        if (!before[index]?.includes(listener)) process.off(name, listener);
  });
  const running = runInterruptible(
    (interrupted) =>
      new Promise((_, reject) => interrupted.addEventListener('abort', () => reject(interrupted.reason))),
  );
  process.emit(signal, signal);
  await expect(running).rejects.toMatchObject({
    message: `interrupted by ${signal}, nothing was changed`,
    exitCode,
  });
});

test('work that fails for an operator says why in one line, and a bug keeps its stack', async () => {
  const fault = runInterruptible(() => Promise.reject(new DatabaseFault('two\nlines')));
  await expect(fault).rejects.toThrow(new OperatorError('two lines'));
  const bug = new TypeError('a bug');
  await expect(runInterruptible(() => Promise.reject(bug))).rejects.toBe(bug);
});
