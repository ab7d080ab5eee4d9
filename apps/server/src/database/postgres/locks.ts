/**
 * The advisory locks of a service: `migration` is held while the schema is migrated, and `append` from the assignment
 * of ids until their commit. A reader of pages that has passed an id would otherwise miss a lower one that is committed
 * later. All other transactions hold `transaction`, so that appends do not wait for them.
 */
export const locksOf = (applicationId: number) => ({
  migration: applicationId,
  append: applicationId + 1,
  transaction: applicationId + 2,
});
