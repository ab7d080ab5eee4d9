import { randomBytes } from 'node:crypto';
import { stringifyJson } from '@petstore/contract';
import { currentMinute } from '../current-minute.ts';
import type { PetAddition } from '../database.ts';

/**
 * Adds pets, each at most once for its Idempotency-Key. The transaction holds the write lock already, so the statement
 * sees all earlier commits. New ids are above all others, also above ids that another program has inserted.
 * @returns SQL, whose rows have the properties of `AddedPet`; `hasSameFingerprint` is null without a key
 */
export function appendPetsSql(additions: readonly PetAddition[]): string {
  const pets = additions.map(({ row }) => row);
  const records = additions.map(({ idempotency }, index) => ({ ...idempotency, number: index + 1 }));
  const columns = Object.keys(pets[0] ?? {}).join(', ');
  return `
    with input as (
      -- first_number is the number of the first addition with the same key.
      select *, case when key is null then number else min(number) over (partition by key) end as first_number
      from (
        -- A later release may add a column \`key\` to the pets. No column has a name with a space.
        select "record key" as key, "record fingerprint" as fingerprint, "record number" as number, ${columns}
        from rows from (
          json_to_recordset(${jsonLiteral(records)}) as (key uuid, fingerprint bigint, number bigint),
          json_populate_recordset(null::pets, ${jsonLiteral(pets)})
        ) as both_lists ("record key", "record fingerprint", "record number")
      ) as additions
    ), known as (
      select key, fingerprint, pet_id as id from idempotency_records
      where key in (select key from input where key is not null)
        -- Triggers enforce foreign keys. While they are off, deleting a pet keeps its record, which is replaced below.
        -- A subquery, because a join could read all pets.
        and (select id from pets where pets.id = idempotency_records.pet_id) is not null
      -- The first request's commit is visible even if its wait for a standby was cancelled. The row lock is written to the
      -- WAL, so the repeated request waits for the standby itself.
      for key share
    ), fresh as (
      -- The additions that become a pet. Their places count from 1.
      select *, row_number() over (order by number) as place from input
      where number = first_number and (key is null or key not in (select key from known))
    ), base as (
      -- The id before the first new pet. setval reserves the ids of all new pets.
      select setval(sequence, highest + count) - count as id, count from (
        -- nextval needs only the privilege that setval needs, while last_value would need a further one.
        select sequence, greatest(nextval(sequence) - 1, (select max(id) from pets)) as highest,
          (select count(*) from fresh) as count
        from cast(pg_get_serial_sequence('pets', 'id') as regclass) as sequence
        where exists (select from fresh)
      ) as state
    ), added as (
      insert into pets (id, ${columns})
      select base.id + place, ${columns} from fresh cross join base
      returning id
    ), recorded as (
      insert into idempotency_records (key, fingerprint, pet_id, created_at)
      select key, fingerprint, base.id + place, ${currentMinute.postgres}
      from fresh cross join base where key is not null
      on conflict (key) do update set (fingerprint, pet_id, created_at) =
        (excluded.fingerprint, excluded.pet_id, excluded.created_at)
      returning key
    )
    select case
        -- A trigger has ignored a row or changed its id, so the statement must fail: a failed cast quotes its text.
        -- The count keeps the planner from casting in advance.
        when (select count(*) from added, base where added.id - base.id between 1 and count) < (select count from base)
          or (select count(*) from recorded) < (select count(key) from fresh)
          then cast('in a batch of ' || count || ', a trigger ignores a row or changes its id' as bigint)
        else coalesce(base.id + place, known.id)
      end as id,
      place is not null and input.number = input.first_number as "isAdded",
      coalesce(known.fingerprint, fresh.fingerprint) = input.fingerprint as "hasSameFingerprint"
    from input left join fresh on fresh.number = input.first_number
      left join known on known.key = input.key left join base on true
    order by input.number`;
}

/** Writes JSON as an SQL literal. `pg.escapeLiteral` takes 0.1 to 0.3 s for a batch of large pets. */
function jsonLiteral(values: readonly object[]): string {
  // No caller can guess the tag, so none can end the literal.
  const tag = `$json_${randomBytes(16).toString('hex')}$`;
  return tag + stringifyJson(values) + tag;
}
