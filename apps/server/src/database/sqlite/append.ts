import type BetterSqlite3 from 'better-sqlite3';
import type { Addition, Appended } from '../database.ts';
import { digestKey, type Idempotency, shortenFingerprint } from '../idempotency.ts';
import { toInt64 } from '../int64.ts';
import type { Values } from '../query.ts';
import type { Schema } from '../schema.ts';
import { createRecords } from './records.ts';

/**
 * Creates the function that adds rows, each at most once for its key, as part of a transaction that has begun. A
 * statement that adds all rows at once, from a JSON text, takes 0.9 to 1.3 times as long, with 16 rows and with one.
 */
export function createAppend(connection: BetterSqlite3.Database, schema: Schema) {
  const { versionedTable, columns } = schema;
  const names = Object.keys(columns);
  const newest = connection
    .prepare<[], bigint>(`select id from "${versionedTable}" order by id desc limit 1`)
    .pluck()
    .safeIntegers();
  const insertRow = connection.prepare<[bigint, ...Values[string][]]>(
    `insert into "${versionedTable}" (id, ${names.map((name) => `"${name}"`).join()})
     values (?, ${names.map(() => '?').join()})`,
  );
  const records = createRecords(connection, schema);

  return (additions: readonly Addition[]): Appended[] => {
    const known = records.find(additions.flatMap(({ idempotency }) => idempotency?.key ?? []));
    const knownOf = ({ idempotency }: Addition) => idempotency && known.get(digestKey(idempotency.key));
    let newestId = newest.get() ?? 0n;
    const saved: (Idempotency & { id: bigint })[] = [];
    const appended = additions.map((addition): Appended => {
      const { idempotency, row } = addition;
      const record = knownOf(addition);
      if (record === undefined) {
        newestId += 1n;
        insertRow.run(newestId, ...names.map((name) => row[name] ?? null));
        if (idempotency !== undefined) saved.push({ ...idempotency, id: newestId });
        return { id: toInt64(newestId), isAdded: true };
      }
      const hasSameFingerprint = record.fingerprint === shortenFingerprint(idempotency?.fingerprint ?? '');
      return { id: toInt64(record.id), isAdded: false, hasSameFingerprint };
    });
    records.save(saved);
    return appended;
  };
}
