import type { Int64 } from '@petstore/contract';
import { type Expression, type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Tables } from './schema.ts';

/**
 * The pets of a status after an id, as a range of the index on (status, id) in the words that the planner of each
 * engine takes for one. SQLite wants an equality: it does not see a range in a comparison of rows. From an equality
 * PostgreSQL concludes that the primary key has the right order as well, and may read all pets to find those of a
 * rare status.
 */
export function statusRange(
  db: Kysely<Tables>,
  status: Expression<string>,
  after: Expression<Int64>,
): Expression<boolean> {
  return db.getExecutor().adapter instanceof PostgresAdapter
    ? sql`(pets.status, pets.id) > (${status}, ${after}) and pets.status <= ${status}`
    : sql`pets.status = ${status} and pets.id > ${after}`;
}
