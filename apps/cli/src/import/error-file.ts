import type { JournaledFile } from '../journaled-file.ts';

/** Where refused records go, one line of JSON each, in their order. */
export interface ErrorSink {
  /** The length of everything that was appended. */
  readonly bytes: number;
  append(line: string): void;
  /** Makes everything durable. */
  flush(): Promise<void>;
}

/** A file of refused records that is written when the journal is. */
export class ErrorFile implements ErrorSink {
  bytes: number;
  readonly #file: JournaledFile;
  #pending: string[] = [];

  constructor(file: JournaledFile) {
    this.#file = file;
    this.bytes = file.bytes;
  }

  append(line: string): void {
    this.#pending.push(line);
    this.bytes += Buffer.byteLength(line);
  }

  async flush(): Promise<void> {
    const text = this.#pending.join('');
    // More may be appended while this is written.
    this.#pending = [];
    if (text !== '') await this.#file.append(text);
    await this.#file.sync();
  }
}
