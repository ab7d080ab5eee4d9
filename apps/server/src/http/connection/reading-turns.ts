import { limits } from '../limits.ts';

/** What is read in turns: a connection. */
export interface Reader {
  /** Whether its caller has shown a valid key. */
  readonly isTrusted: boolean;
  /** Reads nothing more until {@link readOn}. */
  holdBack(): void;
  readOn(): void;
}

/**
 * Shares the event loop among connections whose callers have not shown a valid key. Node parses all that has arrived on
 * all connections before anything else has a turn: seconds, and hundreds of megabytes, where many connections send
 * pipelined requests or bodies of tiny chunks at once. So, once a turn has parsed for some milliseconds, the other
 * connections wait. Then turns read by turns some that are new, the last one or the first one first because the others may
 * be a flood, and the one that has waited for longest.
 *
 * Node stops reading a connection at the end of the 64 KiB that it parses. To stop earlier would take its parser, which
 * is not documented.
 */
export class ReadingTurns {
  /** Connections that are read. */
  readonly #read = new Set<Reader>();
  /**
   * New ones in the order in which they were accepted, whether they are read or wait: a request that arrives some
   * milliseconds after its connection has its place among the others all the same.
   */
  readonly #new = new Set<Reader>();
  readonly #waiting = new Set<Reader>();
  #areNewNext = false;
  #areOldestFirst = true;
  /** How long this turn has parsed. */
  #parsedMs = 0;
  /** When the last request was read, if its caller has shown no valid key. */
  #strangerSince: number | undefined;
  /** Whether that is all for this turn. */
  #isOver = false;
  #isEndAwaited = false;
  /** Whether a connection was accepted in this turn: there may be more of them. */
  #hasAccepted = false;
  /** Turns in a row that only accepted. */
  #acceptingTurns = 0;

  /** Takes up a new connection. */
  add(reader: Reader): void {
    this.#hasAccepted = true;
    this.#read.add(reader);
    this.#new.add(reader);
    // Node begins to read at the end of its own listener.
    if (this.#waiting.size > 0) process.nextTick(() => this.#holdBack(reader));
  }

  delete(reader: Reader): void {
    for (const readers of [this.#read, this.#new, this.#waiting]) readers.delete(reader);
  }

  /**
   * Counts the time from a request to the next one as what it took to parse what was read with it. `process.nextTick` would
   * not tell the end of it, because it runs between the chunks of a body.
   */
  count(reader: Reader): void {
    this.#new.delete(reader);
    this.#measure();
    if (reader.isTrusted) return;
    this.#strangerSince = performance.now();
    this.#awaitEnd();
  }

  #measure(): void {
    if (this.#strangerSince === undefined) return;
    this.#parsedMs += performance.now() - this.#strangerSince;
    this.#strangerSince = undefined;
    if (this.#isOver || this.#parsedMs <= limits.readingMsPerTurn) return;
    this.#isOver = true;
    for (const reader of this.#read) if (!reader.isTrusted) this.#holdBack(reader);
  }

  #holdBack(reader: Reader): void {
    // A connection can end before.
    if (!this.#read.delete(reader)) return;
    this.#waiting.add(reader);
    reader.holdBack();
  }

  #awaitEnd(): void {
    if (this.#isEndAwaited) return;
    this.#isEndAwaited = true;
    setImmediate(() => this.#endTurn());
  }

  #endTurn(): void {
    this.#measure();
    this.#isEndAwaited = false;
    this.#parsedMs = 0;
    this.#isOver = false;
    // Connections are accepted first, of which Node accepts one in each turn.
    const isAccepting = this.#hasAccepted && this.#acceptingTurns < limits.acceptingTurns;
    this.#hasAccepted = false;
    this.#acceptingTurns = isAccepting ? this.#acceptingTurns + 1 : 0;
    if (!isAccepting) this.#readSome();
    if (this.#waiting.size > 0) this.#awaitEnd();
  }

  #readSome(): void {
    const newOnes = [...this.#new].filter((reader) => this.#waiting.has(reader));
    this.#areNewNext = newOnes.length === this.#waiting.size || (!this.#areNewNext && newOnes.length > 0);
    // Node reads them in this order.
    const some = this.#areNewNext ? this.#choose(newOnes) : this.#findLongestWaiting();
    for (const reader of some) {
      this.#waiting.delete(reader);
      this.#read.add(reader);
      reader.readOn();
    }
  }

  #choose(newOnes: readonly Reader[]): Set<Reader> {
    const half = limits.newConnectionsPerTurn / 2;
    const [oldest, newest] = [newOnes.slice(0, half), newOnes.slice(-half).reverse()];
    this.#areOldestFirst = !this.#areOldestFirst;
    return new Set(this.#areOldestFirst ? [...oldest, ...newest] : [...newest, ...oldest]);
  }

  #findLongestWaiting(): Reader[] {
    for (const reader of this.#waiting) if (!this.#new.has(reader)) return [reader];
    return [];
  }
}
