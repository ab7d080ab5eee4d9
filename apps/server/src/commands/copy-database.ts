import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { DatabaseFault } from '../database/database-fault.ts';
import { migrations } from '../database/migrations/index.ts';
import { compareHistory } from '../database/migrator.ts';
import { primaryKeys } from '../database/tables.ts';
import type { DatabaseUrl } from '../process/database-url.ts';
import { assertNoServer, nameFailure, openSide, run, type Side } from './copy-side.ts';

interface Table {
  readonly name: string;
  /** The column that is the primary key. */
  readonly key: string;
  /** The type of each column. */
  readonly columns: Readonly<Record<string, 'int64' | 'text' | 'uuid'>>;
}

/** A row with its values as text: exact, and the same for both engines. A UUID is 32 digits, without hyphens. */
type Row = Readonly<Record<string, string | null>>;

/** Rows of a batch. All are in memory, and a pet may have 64 KiB. */
const BATCH_SIZE = 500;

/**
 * Copies the rows of a database into another one, compares both, and commits if they are equal. A copy whose
 * outcome is unknown can be repeated.
 * @param options.interrupted ends the copy between two batches
 * @param options.onStart is called once the source is verified and both sides are locked, before rows are copied
 * @returns each table's number of rows, and the SHA-256 of their JSON
 * @throws DatabaseFault when a side cannot be used or lacks tables, a server uses the source, or the target has other
 *   rows; nothing is written then
 */
export async function copyDatabase(
  from: DatabaseUrl,
  to: DatabaseUrl,
  options: { interrupted: AbortSignal; onStart?: () => void },
) {
  await using source = await nameFailure('source', openSide('source', from));
  await using target = await nameFailure('target', openSide('target', to));
  const known = sql.join(Object.keys(migrations));
  for (const side of [source, target]) {
    await nameFailure(side.name, compareHistory(side.db, migrations, 'expect'));
    await run(side, side.lock);
    const [newer] = await run(side, sql`select name from kysely_migration where name not in (${known})`);
    if (newer) throw new DatabaseFault(`the ${side.name} has a newer schema: use the release that made it`);
  }
  await assertNoServer(source);
  options.onStart?.();
  const copied: { name: string; rows: number; digest: string }[] = [];
  for (const [name, key] of Object.entries(primaryKeys)) {
    const table = { name, key, columns: await findColumns(target, name) };
    assertSameColumns(name, await findColumns(source, name), table.columns);
    const hash = createHash('sha256');
    let count = 0;
    let last: Row | undefined;
    do {
      const rows = await read(source, table, last);
      const json = JSON.stringify(rows);
      await insert(target, table, json);
      if (JSON.stringify(await read(target, table, last)) !== json) {
        throw new DatabaseFault(`the target has other rows in ${name}, and is left as it is`);
      }
      hash.update(json);
      count += rows.length;
      last = rows.at(-1);
      // A signal is handled between two batches.
      await setImmediate();
      options.interrupted.throwIfAborted();
      // The last batch is empty, and shows that the target has no further rows.
    } while (last !== undefined);
    if (table.columns.id === 'int64') await continueIds(source, target, name);
    copied.push({ name, rows: count, digest: hash.digest('hex') });
  }
  // Until autovacuum, PostgreSQL would plan for empty tables.
  if (target.isPostgres) await run(target, sql`analyze`);
  // A server may have been started meanwhile.
  await assertNoServer(source);
  await run(target, sql`commit`);
  return copied;
}

/** Kysely's introspection would also find tables of this name in other schemas. */
async function findColumns(side: Side, table: string): Promise<Table['columns']> {
  const columns = side.isPostgres
    ? sql<{ name: string; type: string }>`
        select attname as name, format_type(atttypid, null) as type from pg_attribute
        where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped and attgenerated = ''`
    : sql<{ name: string; type: string }>`select name, type from pragma_table_info(${table})`;
  return Object.fromEntries((await run(side, columns)).map(({ name, type }) => [name, typeOf(type)]));
}

/** @param type such as `bigint` on PostgreSQL, and `INTEGER` or `BLOB` on SQLite */
function typeOf(type: string): 'int64' | 'text' | 'uuid' {
  if (/int/i.test(type)) return 'int64';
  return /uuid|blob/i.test(type) ? 'uuid' : 'text';
}

/** @throws DatabaseFault when a side has a column that the other lacks: a copy would lose its values */
function assertSameColumns(table: string, source: Table['columns'], target: Table['columns']): void {
  const name = Object.keys({ ...source, ...target }).find(
    (column) => !(column in source && column in target),
  );
  if (name === undefined) return;
  const side = name in source ? 'source' : 'target';
  throw new DatabaseFault(`only the ${side} has the column ${table}.${name}: remove it before the copy`);
}

/** Reads a batch of the rows after `last`, by ascending keys. Text is in the order of its UTF-8 bytes. */
async function read(side: Side, table: Table, last?: Row): Promise<Row[]> {
  const values = Object.entries(table.columns).map(([name, type]) => {
    const column = sql.ref(`${table.name}.${name}`);
    const digits = side.isPostgres ? sql`replace(${column}::text, '-', '')` : sql`lower(hex(${column}))`;
    return sql`${type === 'uuid' ? digits : sql`cast(${column} as text)`} as ${sql.ref(name)}`;
  });
  const collation = side.isPostgres && table.columns[table.key] === 'text' ? sql`collate "C"` : sql``;
  const order = sql`${sql.ref(`${table.name}.${table.key}`)} ${collation}`;
  // `typedRows` gives the last key the type of its column.
  const lastKey = sql`(select ${sql.ref(table.key)} from ${typedRows(side, table, JSON.stringify([last]))})`;
  const after = last === undefined ? sql`` : sql`where ${order} > ${lastKey}`;
  const rows = sql<Row>`select ${sql.join(values)} from ${sql.table(table.name)} ${after} order by ${order}`;
  return run(side, sql`${rows} limit ${sql.lit(BATCH_SIZE)}`);
}

/** Adds the rows whose primary key is not in the table. */
async function insert(side: Side, table: Table, json: string): Promise<void> {
  const names = sql.join(Object.keys(table.columns).map((name) => sql.ref(name)));
  const rows = typedRows(side, table, json);
  const into = sql`insert into ${sql.table(table.name)} (${names}) select ${names} from ${rows}`;
  // Without "where", SQLite would read "on" as the condition of a join.
  await run(side, sql`${into} where true on conflict do nothing`).catch((error: DatabaseFault) => {
    // PostgreSQL translates messages. The sqlite3 shell, and PostgreSQL without triggers, do not enforce foreign keys.
    if (!/^(?:23503|SQLITE_CONSTRAINT_FOREIGNKEY)$/.test(Object(error.cause).code)) throw error;
    throw new DatabaseFault(`rows of ${table.name} in the source refer to removed rows: see docs/upgrade.md`);
  });
}

/** Turns a JSON array of rows into a table with typed columns. SQLite's column affinity converts text to int64. */
function typedRows({ isPostgres }: Side, { name: table, columns }: Table, json: string) {
  if (isPostgres) return sql`json_populate_recordset(null::${sql.table(table)}, ${json})`;
  const values = Object.entries(columns).map(([name, type]) => {
    const text = sql`value ->> ${sql.lit(name)}`;
    return sql`${type === 'uuid' ? sql`unhex(${text})` : text} as ${sql.ref(name)}`;
  });
  return sql`(select ${sql.join(values)} from json_each(${json}))`;
}

/** Continues the id sequence of the source, so that ids of removed rows are not used again. */
async function continueIds(source: Side, target: Side, table: string): Promise<void> {
  const sequence = sql`pg_get_serial_sequence(${table}, 'id')::regclass`;
  const last = source.isPostgres
    ? sql`pg_sequence_last_value(${sequence})`
    : sql`(select seq from sqlite_sequence where name = ${table})`;
  const [found] = await run(source, sql<{ id: string | null }>`select cast(${last} as text) as id`);
  const id = sql`cast(${found?.id ?? 0} as bigint)`;
  const statements = target.isPostgres
    ? [sql`select setval(${sequence}, ${id}) where ${id} > coalesce(pg_sequence_last_value(${sequence}), 0)`]
    : [
        sql`insert into sqlite_sequence select ${table}, 0 where ${table} not in (select name from sqlite_sequence)`,
        sql`update sqlite_sequence set seq = max(seq, ${id}) where name = ${table}`,
      ];
  for (const statement of statements) await run(target, statement);
}
