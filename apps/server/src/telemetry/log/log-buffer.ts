import { setTimeout as sleep } from 'node:timers/promises';
import { levels } from 'pino';
import type { LogSink } from './log-sink.ts';

/** Characters that may wait; further lines are dropped, and their number is logged in their place. */
export const MAX_BUFFERED = 4 * 1024 * 1024;

/** How long lines are collected, so that a busy service does not write each of them by itself. */
const COLLECT_MS = 10;

/** How long after a failed write the next one is tried. */
const RETRY_MS = 100;

/** How long the end of the process waits for the last lines. */
const CLOSE_MS = 1_000;

/**
 * Buffers log lines, so that no request waits for the log. Lines that come at about the same time are
 * written together, in chunks of whole lines. While the sink takes none they wait, and beyond a size they
 * are dropped. pino's own asynchronous destination would block the process when its sink is full.
 */
export class LogBuffer implements AsyncDisposable {
  /** Lines that were dropped since the start. */
  droppedCount = 0;
  readonly #sink: LogSink;
  #chunks: string[] = [];
  #bytesOfLastChunk = 0;
  #buffered = 0;
  #dropped = 0;
  #isClosed = false;
  #flushing: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(sink: LogSink) {
    this.#sink = sink;
  }

  /** Takes a line, which ends with a line feed. */
  write(line: string): void {
    // Once full, it takes no line before it is half empty: a gap is logged once.
    if (this.#buffered > (this.#dropped > 0 ? MAX_BUFFERED / 2 : MAX_BUFFERED)) {
      this.#dropped += 1;
      this.droppedCount += 1;
      return;
    }
    if (this.#dropped > 0) {
      const msg = 'Log lines were dropped: they came faster than they were read';
      const report = { level: levels.values.warn, time: Date.now(), dropped: this.#dropped, msg };
      this.#append(`${JSON.stringify(report)}\n`);
      this.#dropped = 0;
    }
    this.#append(line);
    this.#flushing ??= this.#flush();
  }

  /** Writes the lines that wait, for a moment; those that cannot be written by then are dropped. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, CLOSE_MS);
    await Promise.race([this.#flushing, promise]);
    clearTimeout(timer);
    this.#isClosed = true;
    this.#sink.close();
  }

  #append(line: string): void {
    const bytes = Buffer.byteLength(line);
    const last = this.#chunks.length - 1;
    if (last >= 0 && this.#bytesOfLastChunk + bytes <= this.#sink.chunkBytes) {
      this.#chunks[last] += line;
      this.#bytesOfLastChunk += bytes;
    } else {
      this.#chunks.push(line);
      this.#bytesOfLastChunk = bytes;
    }
    this.#buffered += line.length;
  }

  async #flush(): Promise<void> {
    while (this.#chunks.length > 0) {
      await sleep(COLLECT_MS);
      for (const chunk of this.#chunks.splice(0)) {
        await this.#writeToSink(Buffer.from(chunk));
        this.#buffered -= chunk.length;
      }
    }
    this.#flushing = undefined;
  }

  async #writeToSink(bytes: Buffer): Promise<void> {
    for (let rest = bytes; rest.length > 0 && !this.#isClosed; ) {
      try {
        rest = rest.subarray(await this.#sink.write(rest));
      } catch {
        await sleep(RETRY_MS, undefined, { ref: false });
      }
    }
  }
}
