import { limits } from '../limits.ts';

/** What is read in turns: a connection. */
export interface Reader {
  /** Whether its caller has shown a valid key. */
  readonly isTrusted: boolean;
  /** Whether nothing was read of it yet. */
  readonly isNew: boolean;
  /** Reads nothing more until {@link readOn}. */
  holdBack(): void;
  readOn(): void;
}

/**
 * Shares the event loop among connections whose callers have not shown a valid key. Node parses all that has arrived on
 * all connections before anything else has a turn: seconds, and hundreds of megabytes, where thousands of connections
 * send pipelined requests at once. So, once a turn has read many requests, the other connections wait, and a few of them
 * are read in each turn: by turns one that is new and one that has waited for longest.
 *
 * Node stops reading a connection at the end of the 64 KiB that it parses. To stop earlier would take its parser, which
 * is not documented.
 */
export class ReadingTurns {
  readonly #read = new Set<Reader>();
  /** Those that wait and are new. The last one is read first: its caller waits, and the others may be a flood. */
  readonly #new = new Set<Reader>();
  /** The others that wait, the first one for longest. */
  readonly #waiting = new Set<Reader>();
  /** That were read in this turn. */
  #requests = 0;
  /** How many connections the next turn reads of those that wait: as many as fill it. */
  #share = 1;
  #isEndAwaited = false;
  /** Whether a connection was accepted in this turn: there may be more of them. */
  #hasAccepted = false;
  /** Turns in a row that only accepted. */
  #acceptingTurns = 0;
  readonly #readHeldBytes: () => number;
  #heldBytes = 0;

  /** @param readHeldBytes what requests and responses take on all connections together */
  constructor(readHeldBytes: () => number) {
    this.#readHeldBytes = readHeldBytes;
  }

  /** Takes up a new connection. */
  add(reader: Reader): void {
    this.#hasAccepted = true;
    this.#read.add(reader);
    // Node begins to read at the end of its own listener.
    if (this.#isCrowded()) process.nextTick(() => this.#holdBack(reader));
  }

  delete(reader: Reader): void {
    for (const readers of [this.#read, this.#new, this.#waiting]) readers.delete(reader);
  }

  /** Counts a request that was read. */
  count({ isTrusted }: Reader): void {
    if (isTrusted) return;
    this.#requests += 1;
    this.#awaitEnd();
    // Before Node reads the next connection.
    if (this.#requests === limits.requestsPerTurn) process.nextTick(() => this.#holdAllBack());
  }

  #isCrowded(): boolean {
    return this.#new.size + this.#waiting.size > 0;
  }

  #holdAllBack(): void {
    for (const reader of this.#read) if (!reader.isTrusted) this.#holdBack(reader);
  }

  #holdBack(reader: Reader): void {
    // A connection can end before.
    if (!this.#read.delete(reader)) return;
    (reader.isNew ? this.#new : this.#waiting).add(reader);
    reader.holdBack();
  }

  #awaitEnd(): void {
    if (this.#isEndAwaited) return;
    this.#isEndAwaited = true;
    setImmediate(() => this.#endTurn());
  }

  #endTurn(): void {
    this.#isEndAwaited = false;
    const isFull = this.#requests >= limits.requestsPerTurn;
    this.#share = isFull ? Math.ceil(this.#share / 2) : Math.min(this.#share * 2, limits.connectionsPerTurn);
    this.#requests = 0;
    const isAccepting = this.#isAccepting();
    const isDraining = this.#isDraining();
    if (!this.#isCrowded()) return;
    if (!isAccepting && !isDraining) this.#readSome();
    this.#awaitEnd();
  }

  /** Whether connections are accepted first, of which Node accepts one in each turn. */
  #isAccepting(): boolean {
    const isAccepting = this.#hasAccepted && this.#acceptingTurns < limits.acceptingTurns;
    this.#hasAccepted = false;
    this.#acceptingTurns = isAccepting ? this.#acceptingTurns + 1 : 0;
    return isAccepting;
  }

  /** Whether callers take responses for which there is little room: reading more would cut their connections. */
  #isDraining(): boolean {
    const before = this.#heldBytes;
    this.#heldBytes = this.#readHeldBytes();
    return this.#heldBytes < before && this.#heldBytes > limits.heldBytes / 2;
  }

  #readSome(): void {
    const newest = Array.from(this.#new).slice(-this.#share).reverse();
    const longest = Array.from(this.#waiting).slice(0, this.#share);
    for (let index = 0; index < this.#share; index += 1) {
      for (const reader of [newest[index], longest[index]]) if (reader !== undefined) this.#readOn(reader);
    }
  }

  #readOn(reader: Reader): void {
    this.#new.delete(reader);
    this.#waiting.delete(reader);
    this.#read.add(reader);
    reader.readOn();
  }
}
