/**
 * The numbers of the advisory locks of a service. No other program takes them for its own in the same database.
 *
 * - `migration`: the schema is being brought up to date.
 * - `append`: ids are assigned. They become visible in their order because the lock is held until the commit: a reader
 *   that has seen a higher id would never see a lower one that is committed later.
 * - `transaction`: any other transaction. Appends do not wait for it, as their lock is another one.
 */
export const locksOf = (applicationId: number) => ({
  migration: applicationId,
  append: applicationId + 1,
  transaction: applicationId + 2,
});
