import type BetterSqlite3 from 'better-sqlite3';
import { digestKey, type Idempotency, MS_PER_MINUTE, shortenFingerprint } from '../idempotency.ts';
import type { Schema } from '../schema.ts';

/** The row that a key has added. */
interface Found {
  id: bigint;
  fingerprint: bigint;
}

/** A new row that a key has added. */
interface Saved extends Idempotency {
  id: bigint;
}

/** The idempotency records of a database. */
interface Records {
  /** Finds the rows of keys that are still there, by the digests of the keys. */
  find(keys: readonly string[]): ReadonlyMap<string, Found>;
  /** Saves records. One whose row is gone is replaced. */
  save(records: readonly Saved[]): void;
}

/** Prepares what finds and saves idempotency records. */
export function createRecords(connection: BetterSqlite3.Database, schema: Schema): Records {
  const { table, rowId } = schema.records;
  const select = connection
    .prepare<[string], Found & { key: string }>(
      `select lower(hex(key)) as key, fingerprint, "${rowId}" as id from "${table}" as known
       where key in (select unhex(value) from json_each(?)) and ${isRowThere(schema)}`,
    )
    .safeIntegers();
  // Run for each record. For a statement with all of a batch, SQLite copies each page that it changes to a temporary file:
  // a creation with a key takes 1.3 times the processor time (26,000 of them over 32 connections, by turns).
  const insert = connection.prepare<[string, bigint, bigint, number]>(
    `insert or replace into "${table}" (key, fingerprint, "${rowId}", created_at) values (unhex(?), ?, ?, ?)`,
  );
  const former = createFormerRecords(connection, schema);
  return {
    find(keys) {
      if (keys.length === 0) return new Map();
      const found = select.all(JSON.stringify(keys.map(digestKey)));
      return new Map([
        ...(former?.find(keys) ?? []),
        ...found.map((record) => [record.key, record] as const),
      ]);
    },
    save(records) {
      if (records.length === 0) return;
      const createdAt = Math.floor(Date.now() / MS_PER_MINUTE);
      for (const { key, fingerprint, id } of records) {
        insert.run(digestKey(key), shortenFingerprint(fingerprint), id, createdAt);
      }
      former?.save(records);
    },
  };
}

/** Those of older releases: see `FormerRecords`. */
function createFormerRecords(connection: BetterSqlite3.Database, schema: Schema): Records | undefined {
  const { rowId, former } = schema.records;
  if (former === undefined) return undefined;
  const select = connection
    .prepare<[string], { key: string; fingerprint: string; id: bigint }>(
      `select key, fingerprint, "${rowId}" as id from "${former.table}" as known
       where key in (select value from json_each(?)) and ${isRowThere(schema)}`,
    )
    .safeIntegers();
  const insert = connection.prepare<[string, string, bigint, number]>(
    `insert or replace into "${former.table}" (key, fingerprint, "${rowId}", created_at)
     select ?, ?, ?, ?
     where not exists (select 1 from schema_compatibility where serves_since >= '${former.until}')`,
  );
  return {
    find: (keys) =>
      new Map(
        select
          .all(JSON.stringify(keys))
          .map(({ key, fingerprint, id }) => [
            digestKey(key),
            { id, fingerprint: shortenFingerprint(fingerprint) },
          ]),
      ),
    save(records) {
      const createdAt = Date.now();
      for (const { key, fingerprint, id } of records) insert.run(key, fingerprint, id, createdAt);
    },
  };
}

const isRowThere = ({ versionedTable, records: { rowId } }: Schema) =>
  `exists (select 1 from "${versionedTable}" where id = known."${rowId}")`;
