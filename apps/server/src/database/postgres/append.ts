import pg from 'pg';
import type { Addition } from '../database.ts';
import type { AppendTables } from '../schema.ts';
import { TYPES } from './statement.ts';

/**
 * Makes the statement that appends rows, and returns what became of each. It sees what was committed before the lock was
 * given: ids are above all others, those that another program has loaded included.
 */
export function insertSql(
  { versionedTable, columns, records }: AppendTables,
  additions: readonly Addition[],
): string {
  const quote = (name: string) => pg.escapeIdentifier(name);
  const names = Object.keys(columns).map(quote);
  const types = Object.entries(columns).map(([name, type]) => `${quote(name)} ${TYPES[type]}`);
  const [table, recordTable, rowId] = [versionedTable, records.table, records.rowId].map(quote);
  return `
  with input as materialized (
    select *, case when key is null then number else min(number) over (partition by key) end as first
    from rows from (json_to_recordset(${toJson(additions)}) as (key uuid, fingerprint bigint, ${types.join(', ')}))
      with ordinality as input(key, fingerprint, ${names.join(', ')}, number)
  ), known as materialized (
    -- PostgreSQL shows a commit whose wait for a synchronous standby was cancelled. A row lock is written to the log, so
    -- that a replay of such a commit waits for the standby itself.
    select key, fingerprint, ${rowId} as id from ${recordTable}
    where key in (select key from input where key is not null)
      -- A row that was removed without its triggers has left its record. A join could read the whole table.
      and (select id from ${table} where id = ${rowId}) is not null for key share
  ), fresh as materialized (
    select *, row_number() over (order by number) as place from input
    where number = first and (key is null or key not in (select key from known))
  ), base as materialized (
    select setval(sequence, highest + count) - count as id from (
      select sequence, greatest(nextval(sequence) - 1, (select max(id) from ${table})) as highest,
        (select count(*) from fresh) as count
      from cast(pg_get_serial_sequence('${table}', 'id') as regclass) as sequence
      where exists (select from fresh)
    ) as sequence
  ), added as (
    insert into ${table} (id, ${names.join(', ')})
    select base.id + place, ${names.join(', ')} from fresh cross join base order by place
  ), recorded as (
    insert into ${recordTable} (key, fingerprint, ${rowId}, created_at)
    select key, fingerprint, base.id + place, extract(epoch from now())::bigint / 60
    from fresh cross join base where key is not null
    on conflict (key) do update
      set (fingerprint, ${rowId}, created_at) = (excluded.fingerprint, excluded.${rowId}, excluded.created_at)
  )
  select coalesce(base.id + place, known.id) as id, place is not null and input.number = input.first as "isAdded",
    coalesce(known.fingerprint, fresh.fingerprint) = input.fingerprint as "hasSameFingerprint"
  from input left join fresh on fresh.number = input.first left join known on known.key = input.key
    left join base on true
  order by input.number`;
}

/**
 * The literal with the values of a batch. PostgreSQL reads a string as well where a column takes an integer. One
 * `stringify` for the batch: with a text for each value, a creation with a key takes 9 % more of the server's processor
 * time.
 */
function toJson(additions: readonly Addition[]): string {
  const records = additions.map(({ idempotency, row }) => ({ ...idempotency, ...row }));
  const exact = (_name: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
  return pg.escapeLiteral(JSON.stringify(records, exact));
}
