import type { Int64, PetStatus } from '@petstore/contract';
import { type Expression, type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Tables } from './schema.ts';

/**
 * The animals of a status, after an id if one is given, as a range of the index on (status, id) in the
 * words that each engine's planner takes for one. SQLite wants an equality: it does not see a range in a
 * comparison of rows. From an equality, PostgreSQL concludes that the primary key has the right order as
 * well, and may read all animals to find those of a rare status.
 */
export function statusRange(
  db: Kysely<Tables>,
  status: Expression<PetStatus>,
  after?: Expression<Int64>,
): Expression<boolean> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    return after === undefined
      ? sql`status between ${status} and ${status}`
      : sql`(status, id) > (${status}, ${after}) and status <= ${status}`;
  }
  return after === undefined ? sql`status = ${status}` : sql`status = ${status} and id > ${after}`;
}
