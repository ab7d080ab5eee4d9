import { hash } from 'node:crypto';
import { MS_PER_MINUTE } from '../../idempotency.ts';
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
  out ids bigint[], out is_added boolean[], out has_same_fingerprint boolean[], out skipped_from bigint)
language plpgsql set search_path from current
-- A plan that is made while the tables are small would read all of them, and is kept when they have grown.
set enable_seqscan = off
as $function$${body}$function$`;
  return { name, definition };
}

function bodyOf(schema: Schema, lock: number): string {
  const { versionedTable, columns, records } = schema;
  const names = Object.keys(columns).map((name) => `"${name}"`);
  const former = formerStatements(schema);
  const given = { key: 'uuid', fingerprint: 'bigint', ...former.given };
  const typed = [
    ...Object.entries(given).map(([name, type]) => `${name} ${type}`),
    ...Object.entries(columns).map(([name, type]) => `"${name}" ${TYPES[type]}`),
  ];
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
  -- PostgreSQL takes the rows of a batch for many: it would compile the statements below, for a second each time.
  perform set_config('jit', 'off', true);
  -- Durability is raised to what survives a power failure, and never lowered.
  perform set_config('synchronous_commit', 'on', true)
    where current_setting('synchronous_commit') not in ('on', 'remote_apply');
  perform set_config('lock_timeout', $1, true);
  perform pg_advisory_xact_lock(${lock});
  -- Only rows with the next ids that another program has not committed can be waited for now, and that program will
  -- want this lock itself.
  perform set_config('lock_timeout', '100', true);${former.find}
  issued := nextval(sequence) - 1;
  highest := (select max(id) from ${table});
  if highest > issued then skipped_from := issued + 1; end if;
  with item as materialized (
    select greatest(issued, highest) + number as id, input.*
    from rows from (json_to_recordset(batch) as (${typed.join(', ')}))
      with ordinality as input(${[...Object.keys(given), ...names].join(', ')}, number)
  ), record as (
    insert into ${recordTable} as known (key, fingerprint, ${rowId}, created_at)
    select key, fingerprint, id, recorded_at / ${MS_PER_MINUTE} from item where key is not null
    ${unlessRowIsThere(schema)}
    returning ${rowId} as id
  )${former.save}, added as (
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
      where key in (select key from json_to_recordset(batch) as input(key uuid)) for key share
    )
    select array_agg(coalesce(known.id, item.id) order by number),
      array_agg(known.fingerprint = input.fingerprint order by number)
    from unnest(ids, is_added) with ordinality as item(id, added, number)
      join rows from (json_to_recordset(batch) as (key uuid, fingerprint bigint))
        with ordinality as input(key, fingerprint, number) using (number)
      left join known on not item.added and known.key = input.key
    into ids, has_same_fingerprint;
  end if;
end `;
}

/** Of an insert into records, named `known`: a key is free again when its row was removed. */
const unlessRowIsThere = ({ versionedTable, records: { rowId } }: Schema) => `on conflict (key) do update
    set fingerprint = excluded.fingerprint, "${rowId}" = excluded."${rowId}", created_at = excluded.created_at
    where not exists (select from "${versionedTable}" where id = known."${rowId}")`;

/** What an append does beside older releases: it finds the records that they have made, and saves its own for them. */
function formerStatements(schema: Schema) {
  const { table, rowId, former } = schema.records;
  if (former === undefined) return { given: {}, find: '', save: '' };
  return {
    given: { former_key: 'text', former_fingerprint: 'text' },
    find: `
  if exists (select from "${former.table}") then
    insert into "${table}" as known (key, fingerprint, "${rowId}", created_at)
    select left(encode(sha256(convert_to(key, 'UTF8')), 'hex'), 32)::uuid,
      ('x' || encode(decode(translate(fingerprint, '-_', '+/') || '=', 'base64'), 'hex'))::bit(64)::bigint,
      "${rowId}", created_at / ${MS_PER_MINUTE}
    from "${former.table}" where key = any(array(select value ->> 'former_key' from json_array_elements(batch)))
    ${unlessRowIsThere(schema)};
  end if;`,
    save: `, former as (
    insert into "${former.table}" as known (key, fingerprint, "${rowId}", created_at)
    select former_key, former_fingerprint, id, recorded_at from item
    where id in (select id from record)
      and not exists (select from schema_compatibility where serves_since >= '${former.until}')
    ${unlessRowIsThere(schema)}
  )`,
  };
}
