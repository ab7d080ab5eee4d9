import type { Addition, Appended } from '../database.ts';
import { digestKey, MS_PER_MINUTE, shortenFingerprint } from '../idempotency.ts';
import type { Int64 } from '../int64.ts';
import type { Schema } from '../schema.ts';
import type { Result } from './connection.ts';

const TYPES = { int64: 'bigint', text: 'text' } as const;

/** How long an append waits for a row with the next id that another program has added and not committed, in ms. */
const ROW_LOCK_TIMEOUT_MS = 100;

/** A row of what the statement returns: see `createAppend`. */
type AppendedRow = [id: Int64, isAdded: boolean, hasSameFingerprint: boolean | null];

/**
 * Makes the text that appends rows, and reads what it returns.
 *
 * The text is one message and one transaction, so that the lock under which servers take turns is held for that message
 * only, also behind a pooler. Its statements see what was committed before the lock was given: ids are above all
 * others, those that another program has loaded included. The values stand in the text, because PostgreSQL runs a
 * message when its last byte is there, and commits without a further one: a server that stalls between two messages
 * would hold the lock until its connection ends.
 *
 * @param lock that of appends
 */
export function createAppend(schema: Schema, lock: number, lockTimeoutMs: number) {
  const begin = beginSql(lock, lockTimeoutMs);
  const [before, after] = insertSql(schema);

  return {
    text(additions: readonly Addition[]): string {
      const batch = JSON.stringify(additions.map(toRecord), withExactIntegers);
      return begin + before + quote(batch) + after;
    },

    /** What became of each addition, in their order. */
    parse({ rows }: Result): Appended[] {
      return (rows as AppendedRow[]).map(([id, isAdded, hasSameFingerprint]) =>
        isAdded ? { id, isAdded } : { id, isAdded, hasSameFingerprint: hasSameFingerprint === true },
      );
    },
  };
}

/**
 * Durability is raised to what survives a power failure, and never lowered. Without `jit` and `enable_seqscan` off,
 * PostgreSQL may compile the insert for a second, or read a whole table for a batch, because it takes the rows of a
 * batch for many.
 */
const beginSql = (lock: number, lockTimeoutMs: number) => `
  select set_config('jit', 'off', true), set_config('enable_seqscan', 'off', true),
    set_config('lock_timeout', '${lockTimeoutMs}', true),
    set_config('synchronous_commit',
      case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, true);
  select pg_advisory_xact_lock(${lock}), set_config('lock_timeout', '${ROW_LOCK_TIMEOUT_MS}', true);`;

/** The statement before and after its literal with the batch. */
function insertSql({ versionedTable, columns, records }: Schema): [string, string] {
  const names = Object.keys(columns).map((name) => `"${name}"`);
  const types = Object.entries(columns).map(([name, type]) => `"${name}" ${TYPES[type]}`);
  const [table, recordTable, rowId] = [versionedTable, records.table, records.rowId].map(
    (name) => `"${name}"`,
  );
  const before = `
  with input as materialized (
    select * from rows from (json_to_recordset(`;
  const after = `) as (key uuid, fingerprint bigint, ${types.join(', ')}))
      with ordinality as input(key, fingerprint, ${names.join(', ')}, number)
  ), known as materialized (
    -- PostgreSQL shows a commit whose wait for a synchronous standby was cancelled. A row lock is written to the log, so
    -- that a replay of such a commit waits for the standby itself.
    select key, fingerprint, ${rowId} as id from ${recordTable}
    where key in (select key from input where key is not null) for key share
  ), fresh as materialized (
    select *, row_number() over (order by number) as place from input
    where key is null or key not in (select key from known)
  ), base as materialized (
    select greatest(nextval(sequence) - 1, (select max(id) from ${table})) as id, sequence
    from cast(pg_get_serial_sequence('${table}', 'id') as regclass) as sequence
    where exists (select from fresh)
  ), moved as materialized (
    select setval(sequence, base.id + (select count(*) from fresh)) from base
  ), added as (
    insert into ${table} (id, ${names.join(', ')})
    select base.id + place, ${names.join(', ')} from fresh cross join base order by place
  ), recorded as (
    insert into ${recordTable} (key, fingerprint, ${rowId}, created_at)
    select key, fingerprint, base.id + place, extract(epoch from now())::bigint * 1000 / ${MS_PER_MINUTE}
    from fresh cross join base where key is not null
  )
  select coalesce(base.id + fresh.place, known.id), fresh.place is not null, known.fingerprint = input.fingerprint
  from input left join fresh using (number) left join known on known.key = input.key
    left join base on true left join moved on true
  order by input.number`;
  return [before, after];
}

const toRecord = ({ idempotency, row }: Addition) =>
  idempotency === undefined
    ? row
    : { key: digestKey(idempotency.key), fingerprint: shortenFingerprint(idempotency.fingerprint), ...row };

/**
 * PostgreSQL reads a string as well where a column takes an integer. One `stringify` for the batch: to put the text of
 * each row together from its values takes 9 % more of the server's processor time for a creation with a key.
 */
const withExactIntegers = (_name: string, value: unknown) =>
  typeof value === 'bigint' ? String(value) : value;

/** Makes a literal that means the same whatever `standard_conforming_strings` is. */
const quote = (text: string) => `E'${text.replaceAll(/['\\]/g, '$&$&')}'`;
