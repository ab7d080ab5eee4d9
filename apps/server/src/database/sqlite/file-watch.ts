import { statSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';

/** How often the files are checked at most, except after a commit. */
const CHECK_INTERVAL_MS = 1_000;

/** The device and the number of each file, by its name. */
export type FileIdentities = ReadonlyMap<string, string>;

/** Identifies the files under some names. */
export const identifyFiles = (files: readonly string[]): FileIdentities =>
  new Map(files.map((file) => [file, identify(file)]));

/**
 * Checks that files are still those that were opened. SQLite does not notice that an open file was removed or replaced:
 * what is written to it then is lost when the process ends.
 */
export class FileWatch {
  readonly #identities: FileIdentities;
  #checkAt = 0;

  constructor(identities: FileIdentities) {
    this.#identities = identities;
  }

  /** Checks the files, once a second at most while they are there, and throws what `checkNow` does. */
  check(): void {
    if (performance.now() >= this.#checkAt) this.checkNow();
  }

  /**
   * Checks the files whenever they were checked last.
   *
   * @throws SqliteError `SQLITE_READONLY_DBMOVED` when one of them was removed or replaced
   */
  checkNow(): void {
    const changed = this.findChanged();
    if (changed !== undefined) {
      throw new BetterSqlite3.SqliteError(
        `${changed} was removed or replaced while the service ran: put it back, or restart the service`,
        'SQLITE_READONLY_DBMOVED',
      );
    }
    this.#checkAt = performance.now() + CHECK_INTERVAL_MS;
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
