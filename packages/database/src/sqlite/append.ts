import type BetterSqlite3 from 'better-sqlite3';
import type { Addition, Appended } from '../database.ts';
import { digestKey, shortenFingerprint } from '../idempotency.ts';
import { toInt64 } from '../int64.ts';
import type { Schema } from '../schema.ts';
import { toJson } from './json-rows.ts';
import { createRecords } from './records.ts';

/**
 * Creates the function that adds rows, each at most once for its key, as part of a transaction that has begun. Each of
 * its statements serves all rows, which come as one JSON text.
 */
export function createAppend(connection: BetterSqlite3.Database, schema: Schema) {
  const { versionedTable, columns } = schema;
  const names = Object.keys(columns);
  const newest = connection
    .prepare<[], bigint>(`select id from "${versionedTable}" order by id desc limit 1`)
    .pluck()
    .safeIntegers();
  const insertRows = connection.prepare<[string]>(
    `insert into "${versionedTable}" (id, ${names.map((name) => `"${name}"`).join()})
     select ${['id', ...names].map((_, index) => `value ->> ${index}`).join()} from json_each(?)`,
  );
  const records = createRecords(connection, schema);

  return (additions: readonly Addition[]): Appended[] => {
    const known = records.find(additions.flatMap(({ idempotency }) => idempotency?.key ?? []));
    const knownOf = ({ idempotency }: Addition) => idempotency && known.get(digestKey(idempotency.key));
    const first = (newest.get() ?? 0n) + 1n;
    const added = additions
      .filter((addition) => knownOf(addition) === undefined)
      .map((addition, index) => ({ ...addition, id: first + BigInt(index) }));
    const rows = added.map(({ id, row }) => [id, ...names.map((name) => row[name])]);
    if (rows.length > 0) insertRows.run(toJson(rows));
    records.save(
      added.flatMap(({ idempotency, id }) => (idempotency === undefined ? [] : { ...idempotency, id })),
    );
    const ids = added.values();
    return additions.map((addition) => {
      const record = knownOf(addition);
      if (record === undefined) return { id: toInt64(ids.next().value?.id ?? 0n), isAdded: true };
      const fingerprint = shortenFingerprint(addition.idempotency?.fingerprint ?? '');
      return {
        id: toInt64(record.id),
        isAdded: false,
        hasSameFingerprint: record.fingerprint === fingerprint,
      };
    });
  };
}
