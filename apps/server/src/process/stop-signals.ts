import { isatty } from 'node:tty';

/** Sent by service managers (SIGTERM), Ctrl-C (SIGINT) and a terminal that closes (SIGHUP). */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export function onSignal(handle: (signal: NodeJS.Signals) => void): void {
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      // nohup ignores SIGHUP, but Node.js resets that. nohup also leaves the process without a terminal.
      if (signal === 'SIGHUP' && ![0, 1, 2].some((descriptor) => isatty(descriptor))) return;
      handle(signal);
    });
  }
}

/** Before {@link awaitFirst}, a signal ends the process. Later the first stops the service, the second kills it. */
export class StopSignals {
  readonly #first = Promise.withResolvers<NodeJS.Signals>();
  #isAwaited = false;
  #isStopping = false;

  constructor() {
    onSignal((signal) => this.#handle(signal));
  }

  awaitFirst(): Promise<NodeJS.Signals> {
    this.#isAwaited = true;
    return this.#first.promise;
  }

  #handle(signal: NodeJS.Signals): void {
    if (!this.#isAwaited) process.exit(0);
    if (this.#isStopping) {
      // `process.exit` waits for the threads of Node's pool. A disk that does not respond blocks such a thread.
      process.kill(process.pid, 'SIGKILL');
      // The first process of a container cannot kill itself with a signal.
      process.exit(1);
    }
    this.#isStopping = true;
    this.#first.resolve(signal);
  }
}
