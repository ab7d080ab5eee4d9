import { constants } from 'node:os';
import { isatty } from 'node:tty';
import { note } from './terminal.ts';

/**
 * Ends the command with one line when a signal interrupts it. Its exit code is that of a shell: 130 after Ctrl-C.
 * @param finish cleans up, and returns what was done
 */
export function onInterruption(finish: () => string): void {
  // nohup ignores SIGHUP, but Node.js resets that. nohup also leaves the command without a terminal. Checked now:
  // `isatty` is false once the terminal has closed.
  const hasTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (signal === 'SIGHUP' && !hasTerminal) return;
      note(`pets: Interrupted by ${signal}. ${finish()}`);
      process.exit(128 + constants.signals[signal]);
    });
  }
}
