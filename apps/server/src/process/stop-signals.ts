import cluster from 'node:cluster';

/** Those by which an operator, a supervisor or a terminal that was closed asks a service to end. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * The signals that ask for an end: until somebody waits for the first one, it ends the process at once, as
 * there is nothing yet to be brought to an end; from then on a second one does.
 */
export class StopSignals {
  readonly #first = Promise.withResolvers<NodeJS.Signals>();
  #isAwaited = false;
  #isStopping = false;

  constructor() {
    for (const signal of SIGNALS) process.on(signal, () => this.#take(signal));
  }

  /** Waits for the first signal; whoever does brings the service to an end in order. */
  awaitFirst(): Promise<NodeJS.Signals> {
    this.#isAwaited = true;
    return this.#first.promise;
  }

  #take(signal: NodeJS.Signals): void {
    if (!this.#isAwaited) process.exit(0);
    if (this.#isStopping) {
      // A worker often gets one from its terminal and one from its supervisor, who ends it if need be.
      if (cluster.isPrimary) process.exit(1);
      return;
    }
    this.#isStopping = true;
    this.#first.resolve(signal);
  }
}
