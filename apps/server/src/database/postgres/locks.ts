/**
 * Advisory locks. `append` is held from the assignment of ids until their commit: otherwise a reader of pages could
 * miss an id that is committed after a higher one. Appends do not wait for other writes, which hold `transaction`.
 */
export const locksOf = (applicationId: number) => ({
  migration: applicationId,
  append: applicationId + 1,
  transaction: applicationId + 2,
});
