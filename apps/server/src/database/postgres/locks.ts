/**
 * The advisory locks of a service, by numbers that no other program uses in the same database.
 *
 * - `migration`: held while the schema is migrated.
 * - `append`: held from the assignment of ids until the commit, so that ids become visible in ascending order. Otherwise
 *   a reader of pages that has passed a higher id would miss a lower id that is committed later.
 * - `transaction`: held by all other transactions, so that appends do not wait for them.
 */
export const locksOf = (applicationId: number) => ({
  migration: applicationId,
  append: applicationId + 1,
  transaction: applicationId + 2,
});
