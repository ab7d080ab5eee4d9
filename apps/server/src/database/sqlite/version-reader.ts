import type BetterSqlite3 from 'better-sqlite3';
import { type Int64, NO_ID } from '../int64.ts';

/** What the table held at one moment; two equal versions mean equal rows. */
export interface TableVersion {
  readonly epoch: number;
  readonly newestId: Int64;
}

/**
 * Reads the version of a table. SQLite's `data_version` shows whether another connection has committed anything since:
 * then, and after writes of this one, the version is read again.
 */
export class VersionReader {
  /** The version that was read last. */
  last: TableVersion = { epoch: 0, newestId: NO_ID };
  /** Changed by a restore, by our command and by SQLite's own `.restore`. */
  schema: bigint | undefined;
  readonly #dataVersion: BetterSqlite3.Statement<[]>;
  readonly #schemaVersion: BetterSqlite3.Statement<[], bigint>;
  readonly #revisionOf: BetterSqlite3.Statement<[], bigint>;
  readonly #newestId: BetterSqlite3.Statement<[], bigint>;
  #revision: bigint | undefined;
  /** What SQLite said when the version was read; `undefined` when this connection has written since. */
  #knownDataVersion: unknown;

  constructor(connection: BetterSqlite3.Database, table: string) {
    this.#dataVersion = connection.prepare<[]>('pragma data_version').pluck();
    this.#schemaVersion = connection.prepare<[], bigint>('pragma schema_version').pluck();
    this.#revisionOf = connection.prepare<[], bigint>(`select revision from "${table}_revision"`).pluck();
    this.#newestId = connection
      .prepare<[], bigint>(`select id from "${table}" order by id desc limit 1`)
      .pluck();
  }

  /** This connection writes. */
  forget(): void {
    this.#knownDataVersion = undefined;
  }

  /** The version now. */
  read(): TableVersion {
    const dataVersion = this.#dataVersion.get();
    if (dataVersion === this.#knownDataVersion) return this.last;
    const schema = this.#schemaVersion.get();
    const revision = this.#revisionOf.get();
    const isChanged = schema !== this.schema || revision !== this.#revision;
    const epoch = Number(this.last.epoch) + (isChanged ? 1 : 0);
    this.last = { epoch, newestId: this.#newestId.get() ?? NO_ID };
    this.schema = schema;
    this.#revision = revision;
    this.#knownDataVersion = dataVersion;
    return this.last;
  }
}
