import { type Expression, type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Int64 } from './int64.ts';

/**
 * The rows with a value in one column and at least a value in another, as a range of the index on both, in the words
 * that the planner of each engine takes for one. SQLite wants an equality: it does not see a range in a comparison of
 * rows. From an equality PostgreSQL concludes that the primary key has the right order as well, and may read the whole
 * table to find the rows with a rare value.
 *
 * @param columns those of the index, such as `pets.status` and `pets.id`
 */
export function indexRange<Tables>(
  db: Kysely<Tables>,
  columns: readonly [string, string],
  equal: Expression<string>,
  from: Expression<Int64>,
): Expression<boolean> {
  const [first, second] = columns.map((column) => sql.ref(column));
  return db.getExecutor().adapter instanceof PostgresAdapter
    ? sql`(${first}, ${second}) >= (${equal}, ${from}) and ${first} <= ${equal}`
    : sql`${first} = ${equal} and ${second} >= ${from}`;
}
