import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';

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
 * Whatever it says was true when it was written, and stays so. A process that may not use it does without.
 */
export class DurableMark {
  readonly #descriptor: number | undefined;

  constructor(file: string) {
    this.#descriptor = attempt(() => openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600));
  }

  /** What was durable; `undefined` when the file says nothing. */
  read(): Durable | undefined {
    const text = Buffer.alloc(LENGTH);
    this.#use((descriptor) => readSync(descriptor, text, 0, LENGTH, 0));
    const [, schema, id] = FORM.exec(text.toString('latin1')) ?? [];
    return schema === undefined || id === undefined ? undefined : { schema: BigInt(schema), id: BigInt(id) };
  }

  write({ schema, id }: Durable): void {
    // Always of one length, so that nothing is left of what it said before.
    const text = `${`${schema} ${id}`.padEnd(LENGTH - 1)}\n`;
    // On a full disk the file says what was durable before, which is so still.
    this.#use((descriptor) => writeSync(descriptor, text, 0, 'latin1'));
  }

  close(): void {
    this.#use(closeSync);
  }

  #use(work: (descriptor: number) => void): void {
    const descriptor = this.#descriptor;
    if (descriptor !== undefined) attempt(() => work(descriptor));
  }
}

/** Does what may fail: then less is known to be durable. */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
