import { isatty } from 'node:tty';

/** Sent by service managers (SIGTERM), Ctrl-C (SIGINT) and a terminal that closes (SIGHUP). */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export function onSignal(handle: (signal: NodeJS.Signals) => void): void {
  // nohup ignores SIGHUP, but Node.js resets that. nohup also leaves the process without a terminal. Checked now:
  // `isatty` is false once the terminal has closed.
  const hasTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (signal !== 'SIGHUP' || hasTerminal) handle(signal);
    });
  }
}

/** Ends the process at once, whatever keeps it: by SIGKILL, or with exit code 1. */
export function killProcess(): void {
  // `process.exit` waits for the threads of Node's pool. A disk that does not respond blocks such a thread.
  process.kill(process.pid, 'SIGKILL');
  // The first process of a container cannot kill itself with a signal.
  process.exit(1);
}

/**
 * Ends the process at once on a signal that stops a server.
 * @returns a function that catches signals from then on. It returns a promise of the first one; the second one kills
 *   the process.
 */
export function exitOnStopSignals(): () => Promise<NodeJS.Signals> {
  const first = Promise.withResolvers<NodeJS.Signals>();
  let isCatching = false;
  let isStopping = false;
  onSignal((signal) => {
    if (!isCatching) process.exit(0);
    if (isStopping) killProcess();
    isStopping = true;
    first.resolve(signal);
  });
  return () => {
    isCatching = true;
    return first.promise;
  };
}
