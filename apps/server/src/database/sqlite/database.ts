import { realpathSync, statSync } from 'node:fs';
import { normalizeInteger } from '@petstore/contract';
import BetterSqlite3 from 'better-sqlite3';
import { type CompiledQuery, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { AddedPet, Database, PetAddition, SchemaAccess } from '../database.ts';
import { type Engine, EngineDriver, type EngineTransaction, type Result } from '../driver.ts';
import { migrations as ownMigrations } from '../migrations/index.ts';
import type { Migrations } from '../migrator.ts';
import { isPrepared, Placeholder } from '../prepared.ts';
import type { Tables } from '../tables.ts';
import { classify } from './errors.ts';
import { openFile } from './open.ts';
import { prepareStatement, type Statement } from './statement.ts';
import { Writer } from './writer.ts';

/** How old a check of the files may be when a read starts. Each write checks the files before and after. */
const CHECK_INTERVAL_MS = 1_000;

interface OpenFile {
  readonly connection: BetterSqlite3.Database;
  /** The statements of prepared queries, by their SQL. */
  readonly statements: Map<string, Statement>;
  readonly readVersion: BetterSqlite3.Statement<[], bigint>;
  readonly writer: Writer;
  /** The database, its `-wal` and its `-shm`, each with its device and inode when it was opened. */
  readonly identities: readonly (readonly [name: string, identity: string])[];
}

/** Reads run in this thread: a read takes less time than a message to another thread. Writes run in another thread. */
export class SqliteDatabase implements Database, Engine {
  /** Kysely's own dialect for SQLite has one connection, and blocks the event loop while the disk is slow. */
  readonly db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new Adapter(),
      createDriver: () => new EngineDriver(this),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new QueryCompiler(),
    },
  });
  readonly classify = classify;
  /** SQLite runs one transaction at a time. Two batches would each have half of the rows. */
  readonly maxConcurrentAppends = 1;
  readonly #name: string;
  readonly #migrations: Migrations;
  #opened: OpenFile | undefined;
  #checkedAt = -Infinity;

  constructor(name: string, migrations: Migrations = ownMigrations) {
    this.#name = name;
    this.#migrations = migrations;
  }

  async open(access: SchemaAccess): Promise<string[]> {
    const { connection, applied } = await openFile(this.#name, this.#migrations, access);
    // SQLite resolves symbolic links, so `-wal` is beside the real file.
    const file = realpathSync(connection.name);
    // A write in this thread would wait for the disk.
    connection.pragma('query_only = ON');
    this.#opened = {
      connection,
      statements: new Map(),
      readVersion: connection.prepare<[], bigint>('pragma data_version').pluck(),
      writer: new Writer(file),
      identities: [file, `${file}-wal`, `${file}-shm`].map((name) => [name, identify(name)]),
    };
    return applied;
  }

  /** SQLite shows no commit before it is durable, so a read in this thread sees only durable rows. */
  async run(query: CompiledQuery): Promise<Result> {
    const statement = this.#prepare(query);
    if (!statement.isRead) return this.#write((writer) => writer.run(dataOf(query)));
    this.#checkFiles(CHECK_INTERVAL_MS);
    return statement.run(query.parameters);
  }

  async begin(): Promise<EngineTransaction> {
    this.#checkFiles();
    const transaction = await this.#file.writer.begin();
    return {
      run: (query) => transaction.run(dataOf(query)),
      commit: () => this.#write(() => transaction.commit()),
      rollback: async () => transaction.rollback(),
    };
  }

  async appendPets(additions: readonly PetAddition[]): Promise<AddedPet[]> {
    const added = await this.#write((writer) => writer.append(additions));
    return added.map((pet) => ({ ...pet, id: normalizeInteger(pet.id) }));
  }

  dataVersion(): number {
    this.#checkFiles(CHECK_INTERVAL_MS);
    return Number(this.#file.readVersion.get());
  }

  /** Closes the writer last: the last connection checkpoints the write-ahead log, and waits for the disk. */
  async [Symbol.asyncDispose]() {
    if (!this.#opened?.connection.open) return;
    const { connection, writer } = this.#opened;
    await writer.finish();
    // SQLite leaves the `-wal` of a moved database, and the next start would apply it to the new file: a checkpoint empties
    // it. If only `-wal` or `-shm` was removed, this would damage a file that another process has open. A close would not:
    // its checkpoint needs an exclusive lock on the file.
    if (this.#findMoved() === writer.file) connection.pragma('wal_checkpoint(TRUNCATE)');
    connection.close();
    await writer[Symbol.asyncDispose]();
  }

  get #file(): OpenFile {
    if (this.#opened !== undefined) return this.#opened;
    throw new BetterSqlite3.SqliteError(`${this.#name} is not open yet`, 'SQLITE_CANTOPEN');
  }

  #prepare(query: CompiledQuery): Statement {
    const { connection, statements } = this.#file;
    const known = statements.get(query.sql);
    if (known !== undefined) return known;
    const statement = prepareStatement(connection, query.sql);
    if (isPrepared(query)) statements.set(query.sql, statement);
    return statement;
  }

  async #write<Outcome>(write: (writer: Writer) => Promise<Outcome>): Promise<Outcome> {
    // A write beside a server with another `-shm` would damage the file. A commit to a moved file must not be acknowledged.
    this.#checkFiles();
    const outcome = await write(this.#file.writer);
    this.#checkFiles();
    return outcome;
  }

  /** @throws SqliteError `SQLITE_READONLY_DBMOVED` when one of the files was removed or replaced */
  #checkFiles(maxAgeMs = 0): void {
    const now = performance.now();
    if (now < this.#checkedAt + maxAgeMs) return;
    const moved = this.#findMoved();
    if (moved !== undefined) {
      throw new BetterSqlite3.SqliteError(
        `${moved} was removed or replaced while the service ran: put it back, or restart the service, before anything else writes`,
        'SQLITE_READONLY_DBMOVED',
      );
    }
    this.#checkedAt = now;
  }

  /**
   * SQLite goes on writing to a file that was removed or replaced, and the data are lost when the process ends. Processes
   * share locks in `-shm`: without it two servers would give out the same ids.
   */
  #findMoved(): string | undefined {
    return this.#file.identities.find(([name, identity]) => identify(name) !== identity)?.[0];
  }
}

class Adapter extends SqliteAdapter {
  /** Otherwise reads would wait for the end of a transaction. */
  override get supportsMultipleConnections() {
    return true;
  }
}

class QueryCompiler extends SqliteQueryCompiler {
  /** SQLite compiles `limit ?` again for each run, but not `limit +?`: a page takes 8.0 instead of 12.7 µs. */
  protected override appendValue(value: unknown): void {
    // Any placeholder may be a limit.
    if (value instanceof Placeholder) this.append('+');
    super.appendValue(value);
  }
}

/** Only these members can be sent to another thread. */
const dataOf = ({ sql, parameters }: CompiledQuery) => ({ sql, parameters });

function identify(name: string): string {
  try {
    const { dev, ino } = statSync(name);
    return `${dev}:${ino}`;
  } catch {
    return 'none';
  }
}
