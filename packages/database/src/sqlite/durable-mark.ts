import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';

/** Rows up to this id are known to be durable while the schema is this one: rows are added with ascending ids. */
export interface Durable {
  /** SQLite's `schema_version`, which a restore changes. */
  readonly schema: bigint;
  readonly id: bigint;
}

const FORM = /^(\d+) (\d+) *\n$/;
const LENGTH = 48;

/**
 * A file beside the database that says what is durable, for the process that opens it next: while the disk does not
 * respond, that one could not learn it, and would refuse every read. Nothing waits for this file to become durable.
 * Whatever it says was true when it was written, and stays so.
 */
export class DurableMark {
  readonly #file: string;
  readonly #descriptor: number;

  constructor(file: string) {
    this.#file = file;
    this.#descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600);
  }

  /** What was durable; `undefined` when the file says nothing. */
  read(): Durable | undefined {
    const [, schema, id] = FORM.exec(readFileSync(this.#file, 'latin1')) ?? [];
    return schema === undefined || id === undefined ? undefined : { schema: BigInt(schema), id: BigInt(id) };
  }

  write({ schema, id }: Durable): void {
    try {
      // Always of one length, so that nothing is left of what it said before.
      writeSync(this.#descriptor, `${`${schema} ${id}`.padEnd(LENGTH - 1)}\n`, 0, 'latin1');
    } catch {
      // The disk is full. The file says what was durable before, which is so still.
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
