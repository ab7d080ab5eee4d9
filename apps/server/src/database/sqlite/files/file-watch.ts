import { statSync } from 'node:fs';

/** How often the files are checked at most, except after a commit. */
export const FILE_CHECK_INTERVAL_MS = 1_000;

/** An open file was removed or replaced: what is written to it is lost when the process ends. */
export class FileGoneError extends Error {
  override name = 'FileGoneError';

  constructor(file: string) {
    super(`${file} was removed or replaced while the service ran: put it back, or restart the service`);
  }
}

/** Checks that the files under some names are still those that were opened. */
export class FileWatch {
  readonly #identities: ReadonlyMap<string, string>;
  #checkAt = 0;
  #gone: FileGoneError | undefined;

  constructor(files: readonly string[]) {
    this.#identities = new Map(files.map((file) => [file, identify(file)]));
  }

  /**
   * Checks the files, once a second at most.
   *
   * @throws FileGoneError when one of them was removed or replaced
   */
  check(): void {
    if (performance.now() >= this.#checkAt) this.checkNow();
    else if (this.#gone) throw this.#gone;
  }

  /** Checks the files whenever they were checked last, and throws what `check` does. */
  checkNow(): void {
    this.#checkAt = performance.now() + FILE_CHECK_INTERVAL_MS;
    const changed = this.findChanged();
    this.#gone = changed === undefined ? undefined : new FileGoneError(changed);
    if (this.#gone) throw this.#gone;
  }

  /** Checks the files now, and returns the name of one that was removed or replaced. */
  findChanged(): string | undefined {
    return [...this.#identities].find(([file, identity]) => identify(file) !== identity)?.[0];
  }
}

function identify(file: string): string {
  try {
    const { dev, ino } = statSync(file);
    return `${dev}:${ino}`;
  } catch {
    return 'none';
  }
}
