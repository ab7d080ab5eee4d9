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

/** Connections that wait, in the order in which they began to. */
class Lane {
  readonly readers = new Set<Reader>();
  /** How many of them a turn reads: as many as fill it. */
  share = 1;
}

/**
 * Shares the event loop among connections whose callers have not shown a valid key. Node parses all that has arrived on
 * all connections before anything else has a turn: seconds, and hundreds of megabytes, where thousands of connections
 * send pipelined requests at once. So, once a turn has read many requests, the other connections wait, and a few of them
 * are read in each turn: by turns of the new ones, and of those that have waited for longest. A turn for each, because
 * many new ones fit into a turn that one of a flood would fill.
 *
 * Node stops reading a connection at the end of the 64 KiB that it parses. To stop earlier would take its parser, which
 * is not documented.
 */
export class ReadingTurns {
  /** Connections that are read. */
  readonly #read = new Set<Reader>();
  /** Those that wait and are new. The last one is read first: its caller waits, and the others may be a flood. */
  readonly #new = new Lane();
  /** The others that wait. The first one has waited for longest. */
  readonly #waiting = new Lane();
  /** The lane of which connections were read last. */
  #lane = this.#waiting;
  /** Whether connections of that lane are read in this turn. */
  #isReading = false;
  /** Requests that were read in this turn. */
  #requests = 0;
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
    for (const readers of [this.#read, this.#new.readers, this.#waiting.readers]) readers.delete(reader);
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
    return this.#new.readers.size + this.#waiting.readers.size > 0;
  }

  #holdAllBack(): void {
    for (const reader of this.#read) if (!reader.isTrusted) this.#holdBack(reader);
  }

  #holdBack(reader: Reader): void {
    // A connection can end before.
    if (!this.#read.delete(reader)) return;
    (reader.isNew ? this.#new : this.#waiting).readers.add(reader);
    reader.holdBack();
  }

  #awaitEnd(): void {
    if (this.#isEndAwaited) return;
    this.#isEndAwaited = true;
    setImmediate(() => this.#endTurn());
  }

  #endTurn(): void {
    this.#isEndAwaited = false;
    if (this.#isReading) this.#adaptShare();
    this.#requests = 0;
    const isAccepting = this.#isAccepting();
    const isDraining = this.#isDraining();
    this.#isReading = this.#isCrowded() && !isAccepting && !isDraining;
    if (this.#isReading) this.#readSome();
    if (this.#isCrowded()) this.#awaitEnd();
  }

  #adaptShare(): void {
    const lane = this.#lane;
    const isFull = this.#requests >= limits.requestsPerTurn;
    lane.share = isFull ? Math.ceil(lane.share / 2) : Math.min(lane.share * 2, limits.connectionsPerTurn);
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
    const [next, other] = this.#lane === this.#new ? [this.#waiting, this.#new] : [this.#new, this.#waiting];
    const lane = next.readers.size > 0 ? next : other;
    const readers = Array.from(lane.readers);
    const some = lane === this.#new ? readers.slice(-lane.share) : readers.slice(0, lane.share);
    for (const reader of some) {
      lane.readers.delete(reader);
      this.#read.add(reader);
      reader.readOn();
    }
    this.#lane = lane;
  }
}
