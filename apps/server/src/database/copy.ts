import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { DatabaseFault } from './database-fault.ts';
import type { SchemaAccess } from './migrations/migrate.ts';
import { locksOf } from './postgres/locks.ts';
import { configsOf, openPostgres } from './postgres/open.ts';
import { PrimaryPool } from './postgres/pool.ts';
import { reasonOf } from './reason.ts';
import type { Schema } from './schema.ts';
import { whileBusy } from './sqlite/busy.ts';
import { sqliteSyntax } from './sqlite/migrate.ts';
import { openSqlite } from './sqlite/open.ts';

/** Where a database is. */
export type Location =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'postgres'; readonly url: string };

/**
 * The columns of each table with their types: `int64`, `text` or `uuid`, and perhaps ` or null`. The first column is the
 * primary key, in whose order rows are copied. A table comes after those that it refers to.
 */
type CopiedTables = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface CopiedTable {
  readonly name: string;
  readonly key: string;
  readonly columns: Readonly<Record<string, string>>;
}

/** The values of a row as text: the same for both engines, and exact. A UUID is 32 digits, without hyphens. */
type Row = (string | null)[];

/** A database in a transaction, in which nothing else writes. Disposing of it undoes what was not committed. */
interface Side extends AsyncDisposable {
  readonly engine: 'sqlite' | 'postgres';
  query(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Rows that are read and written at a time. */
const BATCH_SIZE = 5_000;

/** After this PostgreSQL undoes the transaction of a program that is gone, whose locks would stay otherwise. */
const IDLE_TIMEOUT = '10min';

const LIMITS = { poolSize: 1, connectTimeoutMs: 10_000, statementTimeoutMs: 10_000, idleTimeoutMs: 10_000 };

/**
 * Copies all rows, compares what both sides have then, and commits if it is the same. A target with rows is only
 * compared: so a copy whose end was not seen can be started again.
 *
 * @param interrupted ends the copy between two batches
 * @returns the number of rows of each table, and their SHA-256, each as a line of JSON
 * @throws DatabaseFault when the target has other rows, or a schema is not that of this release; nothing is written then
 */
export async function copyDatabase(
  { from, to, schema, ...plan }: { from: Location; to: Location; schema: Schema; tables: CopiedTables },
  interrupted: AbortSignal,
) {
  const tables = Object.entries(plan.tables).map(([name, columns]) => ({
    name,
    columns,
    key: Object.keys(columns)[0] ?? '',
  }));
  await prepareSchema(from, schema, 'expect');
  await prepareSchema(to, schema, 'create');
  await using source = await openSide(from, schema, tables);
  await using target = await openSide(to, schema, tables);
  const known = String(Object.keys(schema.migrations(sqliteSyntax)));
  for (const side of [source, target]) {
    const found = String(await side.query('select name from kysely_migration order by 1'));
    if (found !== known)
      throw new DatabaseFault(`a schema is newer (${found}): use the release that made it`);
  }
  const counts = tables.map(({ name }) => `select count(*) from "${name}"`).join(' union all ');
  const isEmpty = (await target.query(counts)).every(([count]) => count === '0');
  const copied: { name: string; rows: number; digest: string }[] = [];
  for (const table of tables) {
    const written = await readAll(source, table, interrupted, async (rows) => {
      if (isEmpty) await insert(target, table, rows);
    });
    const found = await readAll(target, table, interrupted);
    if (found.digest !== written.digest) {
      throw new DatabaseFault(
        isEmpty
          ? `the copy of ${table.name} differs: the target is left as it was`
          : `the target has other rows in ${table.name}, and is left as it is: it must be empty`,
      );
    }
    copied.push({ name: table.name, ...found });
  }
  if (isEmpty) await commit(source, target, tables);
  return copied;
}

async function prepareSchema(location: Location, schema: Schema, access: SchemaAccess): Promise<void> {
  await using _database =
    location.engine === 'sqlite'
      ? await openSqlite(location.file, schema, access)
      : await openPostgres(location.url, schema, LIMITS, access);
}

const openSide = (location: Location, schema: Schema, tables: readonly CopiedTable[]): Promise<Side> =>
  location.engine === 'sqlite'
    ? openSqliteSide(location.file)
    : openPostgresSide(location.url, schema, tables);

async function openSqliteSide(file: string): Promise<Side> {
  const connection = new BetterSqlite3(file, { timeout: 0 });
  connection.defaultSafeIntegers(true);
  connection.pragma('synchronous = FULL');
  await whileBusy(() => connection.exec('begin immediate'));
  const statements = new Map<string, BetterSqlite3.Statement<unknown[], unknown[]>>();
  return {
    engine: 'sqlite',
    async query(text, values = []) {
      const statement = statements.get(text) ?? connection.prepare<unknown[], unknown[]>(text);
      statements.set(text, statement);
      if (statement.reader)
        return statement
          .raw()
          .all(...values)
          .map(toRow);
      statement.run(...values);
      return [];
    },
    async [Symbol.asyncDispose]() {
      connection.close();
    },
  };
}

const toRow = (values: unknown[]): Row => values.map((value) => (value === null ? null : String(value)));

async function openPostgresSide(url: string, schema: Schema, tables: readonly CopiedTable[]): Promise<Side> {
  const types = { getTypeParser: () => (text: string) => text };
  const pool = new PrimaryPool(configsOf(url, schema.name, LIMITS.connectTimeoutMs), { max: 1 });
  const client = await pool.connect();
  const close = () => {
    client.release(true);
    return pool.end();
  };
  try {
    // The lock of appends first, which they take before those of the tables, too.
    await client.query(`
      begin;
      set local lock_timeout = ${LIMITS.statementTimeoutMs};
      set local statement_timeout = 0;
      set local idle_in_transaction_session_timeout = '${IDLE_TIMEOUT}';
      select pg_advisory_xact_lock(${locksOf(schema.applicationId).append});
      lock table ${tables.map(({ name }) => `"${name}"`).join()} in share row exclusive mode`);
  } catch (error) {
    await close();
    throw new DatabaseFault(`the tables are in use, as pg_stat_activity shows: ${reasonOf(error)}`);
  }
  return {
    engine: 'postgres',
    query: async (text, values = []) =>
      (await client.query<Row>({ text, values: [...values], rowMode: 'array', types })).rows,
    [Symbol.asyncDispose]: close,
  };
}

/** Reads all rows of a table by ascending keys; text is in the order of its bytes in UTF-8. */
async function readAll(
  side: Side,
  table: CopiedTable,
  interrupted: AbortSignal,
  visit?: (rows: readonly Row[]) => Promise<void>,
) {
  const { name, key, columns } = table;
  const isPostgres = side.engine === 'postgres';
  const values = Object.entries(columns).map(([column, type]) => {
    if (type !== 'uuid') return `"${column}"`;
    return isPostgres ? `replace("${column}"::text, '-', '')` : `lower(hex("${column}"))`;
  });
  const order = `"${key}"${isPostgres && columns[key] === 'text' ? ' collate "C"' : ''}`;
  const place = Object.keys(columns).indexOf(key);
  const hash = createHash('sha256');
  let count = 0;
  for (let last: string | null | undefined; ; ) {
    const after = last === undefined ? '' : `where ${order} > ${parameter(side, 1, columns[key])}`;
    const rows = await side.query(
      `select ${values.join()} from "${name}" ${after} order by ${order} limit ${BATCH_SIZE}`,
      last === undefined ? [] : [last],
    );
    hash.update(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    count += rows.length;
    await visit?.(rows);
    // A signal is heard between two batches.
    await setImmediate();
    interrupted.throwIfAborted();
    last = rows.at(-1)?.[place];
    if (rows.length < BATCH_SIZE) return { rows: count, digest: hash.digest('hex') };
  }
}

function parameter(side: Side, number: number, type = 'text'): string {
  const isInteger = type.startsWith('int64');
  if (side.engine === 'sqlite') return type === 'uuid' ? 'unhex(?)' : isInteger ? 'cast(? as integer)' : '?';
  return `$${number}::${isInteger ? 'bigint' : type.startsWith('text') ? 'text' : 'uuid'}`;
}

/** An array for each column on PostgreSQL, where a statement can have parameters for some thousand values only. */
async function insert(side: Side, { name, columns }: CopiedTable, rows: readonly Row[]): Promise<void> {
  const into = `insert into "${name}" (${Object.keys(columns)
    .map((column) => `"${column}"`)
    .join()})`;
  const types = Object.values(columns);
  if (side.engine === 'sqlite') {
    const values = types.map((type, index) => parameter(side, index, type)).join();
    for (const row of rows) await side.query(`${into} values (${values})`, row);
    return;
  }
  const arrays = types.map((type, index) => `${parameter(side, index + 1, type)}[]`);
  const values = types.map((_, index) => rows.map((row) => row[index]));
  await side.query(`${into} select * from unnest(${arrays.join()})`, values);
}

/**
 * Makes the copy durable. Ids go on after the last one of the source, that of a removed row included: to ask for it fails
 * where the connection was lost, and the source may have taken writes since.
 */
async function commit(source: Side, target: Side, tables: readonly CopiedTable[]): Promise<void> {
  for (const { name, key } of tables.filter(({ key, columns }) => columns[key] === 'int64')) {
    const sequence = `pg_get_serial_sequence('"${name}"', '${key}')`;
    const [[lastId] = ['0']] = await source.query(
      source.engine === 'sqlite'
        ? `select seq from sqlite_sequence where name = '${name}'`
        : `select greatest(pg_sequence_last_value(${sequence}::regclass), max("${key}"), 0) from "${name}"`,
    );
    if (target.engine === 'postgres') {
      if (lastId !== '0') await target.query(`select setval(${sequence}, $1)`, [lastId]);
      continue;
    }
    await target.query(`delete from sqlite_sequence where name = '${name}'`);
    await target.query('insert into sqlite_sequence values (?, cast(? as integer))', [name, lastId]);
  }
  if (target.engine === 'postgres') {
    // Plans would be those for empty tables until autovacuum comes.
    await target.query('analyze');
    // Durability is raised to what survives a power failure, and never lowered.
    await target.query(
      `select set_config('synchronous_commit', 'on', true)
       where current_setting('synchronous_commit') not in ('on', 'remote_apply')`,
    );
  }
  await target.query('commit');
}
