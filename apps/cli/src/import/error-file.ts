import { open, rm } from 'node:fs/promises';
import { writeAt } from '../files.ts';

/** Where refused records go, one line of JSON each, in their order. */
export interface ErrorSink {
  /** The length of everything that was appended. */
  bytes: number;
  append(line: string): void;
  /** Makes everything durable. */
  flush(): Promise<void>;
}

/** A file of refused records that is written when the journal is. */
export class ErrorFile implements ErrorSink {
  bytes: number;
  readonly path: string;
  #pending: string[] = [];
  #writtenBytes: number;

  private constructor(path: string, bytes: number) {
    this.path = path;
    this.bytes = bytes;
    this.#writtenBytes = bytes;
  }

  /** Continues a file at a length: what an interrupted run wrote after its last journal is written again. */
  static async open(path: string, bytes: number): Promise<ErrorFile> {
    if (bytes === 0) await rm(path, { force: true });
    else {
      await using file = await open(path, 'r+');
      await file.truncate(bytes);
    }
    return new ErrorFile(path, bytes);
  }

  append(line: string): void {
    this.#pending.push(line);
    this.bytes += Buffer.byteLength(line);
  }

  async flush(): Promise<void> {
    const text = this.#pending.join('');
    if (text === '') return;
    const position = this.#writtenBytes;
    // More may be appended while this is written.
    this.#pending = [];
    this.#writtenBytes = this.bytes;
    await using file = await open(this.path, position === 0 ? 'w' : 'r+');
    await writeAt(file, text, position);
    await file.sync();
  }
}
