import pg from 'pg';
import { DatabaseFault } from '../database-fault.ts';
import { locksOf } from '../postgres/locks.ts';
import { migrate } from '../postgres/migrate.ts';
import { reasonOf } from '../reason.ts';
import { retry } from '../retry.ts';
import type { CopyPlan, Table } from './copy-plan.ts';
import { BATCH_SIZE, type CopySide, list, type Role, type Row } from './copy-side.ts';

/** Of the migrations of a new database, which nothing else uses. */
const STATEMENT_TIMEOUT_MS = 10_000;

/**
 * How long the tables are waited for at a time. After `deadlock_timeout`, a second, PostgreSQL ends an autovacuum that
 * is in the way. In less than two of them it never ends the transaction of an operator, with whose commit this one
 * could wait in a circle.
 */
const LOCK_TIMEOUT_MS = 1_500;
const LOCK_PAUSE_MS = 500;
const LOCK_ATTEMPTS_MS = 30_000;

/** After this the server undoes the transaction of a program that is gone, whose locks would stay otherwise. */
const IDLE_TIMEOUT = '10min';

/**
 * Connects to a database, and locks its tables against writes: servers go on reading.
 *
 * @param role a target gets the tables if it has none
 * @throws DatabaseFault when they cannot be locked; an error of the system or of PostgreSQL when it cannot be reached
 */
export async function openPostgresSide(
  config: pg.ClientConfig,
  { schema, tables }: CopyPlan,
  role: Role,
): Promise<CopySide> {
  const client = new pg.Client({ ...config, types: { getTypeParser: () => (text: string) => text } });
  client.on('error', () => {});
  try {
    await client.connect();
    const side = new PostgresSide(client, tables);
    if (role === 'target' && !(await side.hasTable(schema.versionedTable))) {
      await migrate(config, schema, STATEMENT_TIMEOUT_MS);
    }
    await retry(() => begin(client, tables, locksOf(schema.applicationId).append), {
      when: isLocked,
      forMs: LOCK_ATTEMPTS_MS,
      pauseMs: LOCK_PAUSE_MS,
    });
    return side;
  } catch (error) {
    await client.end().catch(() => {});
    throw isLocked(error)
      ? new DatabaseFault('its tables are in use by another transaction, which pg_stat_activity shows')
      : error;
  }
}

/** lock_not_available, deadlock_detected */
const isLocked = (error: unknown) =>
  error instanceof pg.DatabaseError && /^(?:55P03|40P01)$/.test(error.code ?? '');

async function begin(client: pg.Client, tables: readonly Table[], appendLock: number): Promise<void> {
  try {
    // The lock of appends first, which they take before those of the tables, too.
    await client.query(`
      begin;
      set local lock_timeout = ${LOCK_TIMEOUT_MS};
      set local statement_timeout = 0;
      set local idle_in_transaction_session_timeout = '${IDLE_TIMEOUT}';
      select pg_advisory_xact_lock(${appendLock});
      lock table ${list(tables)} in share row exclusive mode`);
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

class PostgresSide implements CopySide {
  readonly #client: pg.Client;
  readonly #tables: readonly Table[];

  constructor(client: pg.Client, tables: readonly Table[]) {
    this.#client = client;
    this.#tables = tables;
  }

  async hasTable(name: string): Promise<boolean> {
    const [row = []] = await this.query(`select to_regclass('"${name}"')`);
    return row[0] !== null;
  }

  query(text: string) {
    return this.#run({ text });
  }

  async *read({ name, columns, key }: Table) {
    const values = columns.map(({ name, type }) =>
      type === 'uuid' ? `replace("${name}"::text, '-', '')` : `"${name}"`,
    );
    const order = list([key]) + (key.type === 'text' ? ' collate "C"' : '');
    await this.query(
      `declare copied no scroll cursor for select ${values.join()} from "${name}" order by ${order}`,
    );
    let rows: Row[];
    do {
      rows = await this.query(`fetch ${BATCH_SIZE} from copied`);
      yield rows;
    } while (rows.length === BATCH_SIZE);
    await this.query('close copied');
  }

  /** An array for each column: a statement can have parameters for some thousand values only. */
  async insert({ name, columns }: Table, rows: readonly Row[]) {
    const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`);
    await this.#run({
      text: `insert into "${name}" (${list(columns)}) select * from unnest(${arrays.join()})`,
      values: columns.map((_, index) => rows.map((row) => row[index])),
    });
  }

  async commit() {
    for (const { name, key } of this.#tables.filter(({ key }) => key.type === 'bigint')) {
      await this.query(
        `select setval(pg_get_serial_sequence('"${name}"', '${key.name}'), max("${key.name}"))
         from "${name}" having max("${key.name}") > 0`,
      );
    }
    // Its plans would be those for empty tables until autovacuum comes.
    await this.query(`analyze ${list(this.#tables)}`);
    // Durability is raised to what survives a power failure, and never lowered.
    await this.query(
      `select set_config('synchronous_commit', 'on', true)
       where current_setting('synchronous_commit') not in ('on', 'remote_apply')`,
    );
    await this.query('commit');
  }

  async [Symbol.asyncDispose]() {
    await this.#client.end().catch(() => {});
  }

  async #run(statement: pg.QueryConfig): Promise<Row[]> {
    try {
      return (await this.#client.query<Row>({ ...statement, rowMode: 'array' })).rows;
    } catch (error) {
      throw new DatabaseFault(`${this.#client.host}:${this.#client.port}: ${reasonOf(error)}`);
    }
  }
}
