import { setTimeout as sleep } from 'node:timers/promises';
import { levels } from 'pino';
import type { Outlet } from './log-sink.ts';

/** Characters that wait at the most; further lines are lost, and their number is logged in their place. */
export const MAX_WAITING = 4 * 1024 * 1024;

/** How long lines are gathered, so that a busy service does not write each by itself. */
const GATHER_MS = 10;

/** How long after a failure the next attempt is made. */
const RETRY_MS = 100;

/** How long the end of the process waits for the last lines. */
const CLOSE_MS = 1_000;

/**
 * The lines on their way out. Nobody waits for them: those that come at about the same time leave
 * together, in pieces of whole lines, and while they cannot leave they wait, or are lost when there are too many.
 */
export class Log implements AsyncDisposable {
  readonly #outlet: Outlet;
  #pieces: string[] = [];
  #bytesOfLastPiece = 0;
  #waiting = 0;
  #lost = 0;
  #isClosed = false;
  #leaving: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(outlet: Outlet) {
    this.#outlet = outlet;
  }

  /** Takes a line, its line feed included. */
  write(line: string): void {
    // Having been full, it takes no line before it is half empty: a gap is logged once.
    if (this.#waiting > (this.#lost > 0 ? MAX_WAITING / 2 : MAX_WAITING)) {
      this.#lost += 1;
      return;
    }
    if (this.#lost > 0) {
      const msg = 'Log lines were lost: they came faster than they were taken';
      this.#append(
        `${JSON.stringify({ level: levels.values.warn, time: Date.now(), lost: this.#lost, msg })}\n`,
      );
      this.#lost = 0;
    }
    this.#append(line);
    this.#leaving ??= this.#leave();
  }

  /** Gives the lines that wait a moment to leave; those that cannot are given up. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, CLOSE_MS);
    await Promise.race([this.#leaving, promise]);
    clearTimeout(timer);
    this.#isClosed = true;
    this.#outlet.close();
  }

  #append(line: string): void {
    const bytes = Buffer.byteLength(line);
    const last = this.#pieces.length - 1;
    if (last >= 0 && this.#bytesOfLastPiece + bytes <= this.#outlet.pieceBytes) {
      this.#pieces[last] += line;
      this.#bytesOfLastPiece += bytes;
    } else {
      this.#pieces.push(line);
      this.#bytesOfLastPiece = bytes;
    }
    this.#waiting += line.length;
  }

  async #leave(): Promise<void> {
    while (this.#pieces.length > 0) {
      await sleep(GATHER_MS);
      for (const piece of this.#pieces.splice(0)) {
        await this.#writeOut(Buffer.from(piece));
        this.#waiting -= piece.length;
      }
    }
    this.#leaving = undefined;
  }

  async #writeOut(bytes: Buffer): Promise<void> {
    for (let rest = bytes; rest.length > 0 && !this.#isClosed; ) {
      try {
        rest = rest.subarray(await this.#outlet.write(rest));
      } catch {
        await sleep(RETRY_MS, undefined, { ref: false });
      }
    }
  }
}
