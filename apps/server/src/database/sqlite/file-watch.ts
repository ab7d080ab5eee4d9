import { statSync } from 'node:fs';

/** How often the files are looked at. */
const INTERVAL_MS = 1_000;

/** An open file has lost its name: what is written to it is gone when the process ends. */
export class FileGoneError extends Error {
  override name = 'FileGoneError';

  constructor(file: string) {
    super(`${file} was removed or replaced while the service ran: put it back, or restart the service`);
  }
}

/** Watches that files which are open are still those that others find under their names. */
export class FileWatch {
  readonly #known: ReadonlyMap<string, string>;
  #checkAt = 0;
  #gone: FileGoneError | undefined;

  constructor(files: readonly string[]) {
    this.#known = new Map(files.map((file) => [file, identify(file)]));
  }

  /**
   * Looks at the files, once a second at the most.
   *
   * @throws FileGoneError when one of them is another one now, or none
   */
  check(): void {
    const now = performance.now();
    if (now >= this.#checkAt) {
      this.#checkAt = now + INTERVAL_MS;
      const changed = this.findChanged();
      this.#gone = changed === undefined ? undefined : new FileGoneError(changed);
    }
    if (this.#gone) throw this.#gone;
  }

  /** Looks now for a file that is another one, or none. */
  findChanged(): string | undefined {
    return [...this.#known].find(([file, known]) => identify(file) !== known)?.[0];
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
