import { constants } from 'node:os';
import { isatty } from 'node:tty';
import { note } from './terminal.ts';

/**
 * Ends the command with one line when a signal interrupts it, and with a shell's exit code: 130 after Ctrl-C.
 * @param finish cleans up, and returns what was done
 */
export function onInterruption(finish: () => string): void {
  // nohup makes a command ignore SIGHUP, but Node.js undoes this. Under GNU's nohup, no standard stream is a terminal.
  // This is checked at the start, because `isatty` also returns false once a terminal has closed.
  const hasTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (signal === 'SIGHUP' && !hasTerminal) return;
      note(`pets: Interrupted by ${signal}. ${finish()}`);
      process.exit(128 + constants.signals[signal]);
    });
  }
}
