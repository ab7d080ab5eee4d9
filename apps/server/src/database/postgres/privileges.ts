import { DatabaseFault } from '../database-fault.ts';
import type { Tables } from '../tables.ts';
import { execute } from './execute.ts';
import type { PrimaryPool } from './pool.ts';

/** The privileges of the role that serves, as deploy/postgres/grants.sql gives them. */
export const privileges = {
  pets: ['select', 'insert'],
  pets_id_seq: ['update'], // USAGE would allow nextval, but not setval.
  idempotency_records: ['select', 'insert', 'update', 'delete'],
  api_keys: ['select', 'insert', 'update'],
} as const satisfies Record<keyof Tables | `${string}_id_seq`, readonly string[]>;

/** @throws DatabaseFault naming the tables and sequences on which the role lacks a privilege */
export async function assertPrivileges(pool: PrimaryPool): Promise<void> {
  const text = `
    select string_agg(privilege || ' on ' || name, ', ')
    from json_each($1) as relations(name, list), json_array_elements_text(list) as privilege
    where not has_table_privilege(to_regclass(name), privilege)`;
  const [result] = await execute(pool, { text, values: [JSON.stringify(privileges)] });
  const [lacking] = result?.rows[0] ?? [];
  if (lacking === null) return;
  throw new DatabaseFault(`the role lacks the privileges ${lacking}: see deploy/postgres/grants.sql`);
}
