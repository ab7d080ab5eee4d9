import type BetterSqlite3 from 'better-sqlite3';
import type { Addition, Appended } from '../database.ts';
import { toInt64 } from '../int64.ts';
import type { Schema } from '../schema.ts';
import { toJson } from './json-rows.ts';

/**
 * Creates the function that adds rows, each at most once for its key, as part of a transaction that has begun. Three
 * statements serve all rows, which come as one JSON text.
 */
export function createAppend(connection: BetterSqlite3.Database, schema: Schema) {
  const { versionedTable, columns, records } = schema;
  const names = Object.keys(columns);
  const newest = connection
    .prepare<[], bigint>(`select id from "${versionedTable}" order by id desc limit 1`)
    .pluck()
    .safeIntegers();
  const known = connection.prepare<[string], { key: string; id: bigint; fingerprint: string }>(
    `select key, "${records.rowId}" as id, fingerprint from "${records.table}"
     where key in (select value ->> 0 from json_each(?))`,
  );
  known.safeIntegers();
  const insert = (table: string, inserted: readonly string[]) =>
    connection.prepare<[string]>(
      `insert into "${table}" (${inserted.map((name) => `"${name}"`).join()})
       select ${inserted.map((_, index) => `value ->> ${index}`).join()} from json_each(?)`,
    );
  const insertRows = insert(versionedTable, ['id', ...names]);
  const insertRecords = insert(records.table, ['key', 'fingerprint', records.rowId, 'created_at']);

  return (additions: readonly Addition[]): Appended[] => {
    const keyed = additions.filter(({ key }) => key !== undefined);
    const found = keyed.length === 0 ? [] : known.all(toJson(keyed.map(({ key }) => [key])));
    const knownByKey = new Map(found.map((record) => [record.key, record]));
    const isNew = ({ key }: Addition) => key === undefined || !knownByKey.has(key);
    const first = (newest.get() ?? 0n) + 1n;
    const added = additions.filter(isNew).map((addition, index) => ({
      ...addition,
      id: first + BigInt(index),
    }));
    const rows = added.map(({ id, row }) => [id, ...names.map((name) => row[name])]);
    if (rows.length > 0) insertRows.run(toJson(rows));
    const createdAt = Date.now();
    const saved = added.flatMap(({ key, fingerprint, id }) =>
      key === undefined ? [] : [[key, fingerprint, id, createdAt]],
    );
    if (saved.length > 0) insertRecords.run(toJson(saved));
    const ids = added.values();
    return additions.map((addition) => {
      const record = addition.key === undefined ? undefined : knownByKey.get(addition.key);
      return record === undefined
        ? { id: toInt64(ids.next().value?.id ?? 0n), isAdded: true }
        : { id: toInt64(record.id), isAdded: false, fingerprint: record.fingerprint };
    });
  };
}
