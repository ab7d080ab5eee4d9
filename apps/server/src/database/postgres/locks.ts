/**
 * Advisory locks. `append` is held from the assignment of ids until their commit. Otherwise a reader of pages could
 * miss an id that is committed after a higher one. Other writes hold `transaction`, so that appends do not wait for
 * them.
 */
export const locksOf = (applicationId: number) => ({
  migration: applicationId,
  append: applicationId + 1,
  transaction: applicationId + 2,
});
