import { hash } from 'node:crypto';
import type { Schema } from '../../schema.ts';
import { appendingSetting } from './track-changes.ts';

const TYPES = { int64: 'bigint', text: 'text' } as const;

/**
 * A function in the database does all of an append in one message, so that the lock under which servers take turns is
 * held for that message only, and behind a pooler as well. A statement of the same effect would see what was committed
 * before it began to wait for the lock; within a function each statement sees what was committed before the lock was
 * given: ids are above all others, also above those that another program has just loaded, whatever the sequence says.
 *
 * Its name has a digest of its text: servers of several releases have a function each.
 *
 * @param lock that of appends
 * @returns its name, and the statement that creates it
 */
export function appendFunction(schema: Schema, lock: number): { name: string; definition: string } {
  const body = bodyOf(schema, lock);
  const name = `append_${schema.versionedTable}_${hash('sha256', body, 'hex').slice(0, 8)}`;
  const definition = `create function "${name}"(
  lock_timeout text, recorded_at bigint, batch json,
  out ids bigint[], out is_added boolean[], out known_fingerprints text[], out skipped_from bigint)
language plpgsql set search_path from current
-- A plan that is made while the tables are small would read all of them, and is kept when they have grown.
set enable_seqscan = off
as $function$${body}$function$`;
  return { name, definition };
}

function bodyOf({ versionedTable, columns, records }: Schema, lock: number): string {
  const names = Object.keys(columns).map((name) => `"${name}"`);
  const typed = Object.entries(columns).map(([name, type]) => `"${name}" ${TYPES[type]}`);
  const [table, recordTable, rowId] = [versionedTable, records.table, records.rowId].map(
    (name) => `"${name}"`,
  );
  return `
declare
  sequence constant regclass := pg_get_serial_sequence('${table}', 'id');
  issued bigint;
  highest bigint;
begin
  -- In the body: only a superuser may create a function that sets this in its header.
  perform set_config('${appendingSetting(versionedTable)}', 'on', true);
  -- Durability is raised to what survives a power failure, and never lowered.
  perform set_config('synchronous_commit', 'on', true)
    where current_setting('synchronous_commit') not in ('on', 'remote_apply');
  perform set_config('lock_timeout', $1, true);
  perform pg_advisory_xact_lock(${lock});
  -- Only rows with the next ids that another program has not committed can be waited for now, and that program will
  -- want this lock itself.
  perform set_config('lock_timeout', '100', true);
  issued := nextval(sequence) - 1;
  highest := (select max(id) from ${table});
  if highest > issued then skipped_from := issued + 1; end if;
  with item as materialized (
    select greatest(issued, highest) + number as id, key, fingerprint, ${names.join(', ')}
    from rows from (json_to_recordset(batch) as (key text, fingerprint text, ${typed.join(', ')}))
      with ordinality as input(key, fingerprint, ${names.join(', ')}, number)
  ), record as (
    insert into ${recordTable} (key, fingerprint, ${rowId}, created_at)
    select key, fingerprint, id, recorded_at from item where key is not null
    on conflict (key) do nothing
    returning ${rowId} as id
  ), added as (
    insert into ${table} (id, ${names.join(', ')})
    select id, ${names.join(', ')} from item where key is null or id in (select id from record)
    returning id
  )
  select array(select id from item), array(select item.id in (select added.id from added) from item)
  into ids, is_added;
  perform setval(sequence, greatest(issued, highest) + cardinality(ids));
  if false = any(is_added) then
    -- PostgreSQL shows a commit whose wait for a synchronous standby was cancelled. A row lock is written to the log,
    -- so that a replay of such a commit waits for the standby itself.
    with known as materialized (
      select key, fingerprint, ${rowId} as id from ${recordTable}
      where key in (select value ->> 'key' from json_array_elements(batch)) for key share
    )
    select array_agg(coalesce(known.id, item.id) order by number),
      array_agg(case when not item.added then known.fingerprint end order by number)
    from unnest(ids, is_added) with ordinality as item(id, added, number)
      join json_array_elements(batch) with ordinality as input(value, number) using (number)
      left join known on not item.added and known.key = input.value ->> 'key'
    into ids, known_fingerprints;
  end if;
end `;
}
