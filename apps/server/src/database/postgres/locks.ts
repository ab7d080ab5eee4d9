/**
 * The numbers of the advisory locks of a service. No other program takes them for its own in the same database.
 *
 * - `migration`: the schema is being brought up to date.
 * - `append`: ids are assigned. They become visible in their order because the lock is held until the commit: a reader
 *   that has seen a higher id would never see a lower one that is committed later.
 * - `transaction`: a transaction that is not an append is running. Appends do not take this lock, and go on meanwhile.
 */
export const locksOf = (applicationId: number) => ({
  migration: applicationId,
  append: applicationId + 1,
  transaction: applicationId + 2,
});
