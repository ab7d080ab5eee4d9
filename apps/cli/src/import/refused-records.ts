import { appendFileSync, closeSync, fstatSync, openSync, statSync } from 'node:fs';
import { CommandError, describeError, exitCodes } from '../exit-code.ts';
import { note } from '../terminal.ts';
import { type FileRecord, STDIN } from './lines.ts';

/** How many refused records standard error shows, if no file takes them. */
const MAX_SHOWN = 10;

/** Writes the refused records of an import to a file in the format of the input, or to standard error. */
export class RefusedRecords implements Disposable {
  #count = 0;
  readonly #descriptor: number | undefined;

  /**
   * Creates the file, or empties it.
   * @param path `undefined` to show the first refused records on standard error
   * @throws CommandError when the file is the input, or cannot be written
   */
  constructor(path: string | undefined, inputPath: string) {
    if (path === undefined) return;
    try {
      if (path === STDIN) throw new Error(`${path} is not the name of a file`);
      if (isInput(path, inputPath)) throw new Error(`${path} is the file that is imported`);
      this.#descriptor = openSync(path, 'w');
    } catch (error) {
      throw new CommandError(`--errors: ${describeError(error)}`, exitCodes.usage);
    }
  }

  add(record: FileRecord, reason: string): void {
    this.#count += 1;
    if (this.#descriptor === undefined) {
      if (this.#count <= MAX_SHOWN) note(`line ${record.line}: ${reason}`);
      else if (this.#count === MAX_SHOWN + 1) note('More lines are refused: --errors FILE writes them');
      return;
    }
    const header = this.#count === 1 ? record.refusedHeader : '';
    try {
      // The workers of an import add records concurrently. Synchronous writes keep each record whole.
      appendFileSync(this.#descriptor, header + record.formatRefused(reason));
    } catch (error) {
      throw new Error(`--errors: ${describeError(error)}`);
    }
  }

  [Symbol.dispose](): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }
}

/** Whether a path is the input under any name, also when the input is standard input. */
function isInput(path: string, inputPath: string): boolean {
  const file = statSync(path, { throwIfNoEntry: false });
  const input = inputPath === STDIN ? fstatSync(0) : statSync(inputPath, { throwIfNoEntry: false });
  return file !== undefined && file.ino === input?.ino && file.dev === input.dev;
}
