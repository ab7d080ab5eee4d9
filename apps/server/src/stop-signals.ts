/** Sent by service managers (SIGTERM), Ctrl-C (SIGINT) and a terminal that closes (SIGHUP). */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * The signals that ask the service to stop. Before {@link awaitFirst}, a signal ends the process at once.
 * Afterwards the first signal stops the service, and a second one kills the process.
 */
export class StopSignals {
  readonly #first = Promise.withResolvers<NodeJS.Signals>();
  #isAwaited = false;
  #isStopping = false;

  constructor() {
    for (const signal of SIGNALS) process.on(signal, () => this.#handle(signal));
  }

  /** Waits for the first signal, after which the caller stops the service. */
  awaitFirst(): Promise<NodeJS.Signals> {
    this.#isAwaited = true;
    return this.#first.promise;
  }

  #handle(signal: NodeJS.Signals): void {
    if (!this.#isAwaited) process.exit(0);
    if (this.#isStopping) {
      this.#endNow();
      return;
    }
    this.#isStopping = true;
    this.#first.resolve(signal);
  }

  /** `process.exit` would wait for the threads of Node's pool. A disk that does not respond blocks such a thread. */
  #endNow(): void {
    process.kill(process.pid, 'SIGKILL');
    // The first process of a container cannot kill itself with a signal.
    process.exit(1);
  }
}
