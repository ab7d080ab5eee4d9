/** Signals of operators, service managers and terminals that are closed. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * The signals that ask the service to stop. Before {@link awaitFirst} is called there is nothing to stop in
 * order, and a signal ends the process at once; afterwards a second signal does.
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

  /** `process.exit` would wait for the threads of Node's pool, of which a disk that does not respond holds one. */
  #endNow(): void {
    process.kill(process.pid, 'SIGKILL');
    // As the first process of a container it cannot kill itself.
    process.exit(1);
  }
}
