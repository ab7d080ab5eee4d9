import type { Database, DatabaseVersion } from './database.ts';

/**
 * What a cached response depends on: `rows`, one with a page, on all rows of the versioned table; `row`, one with a
 * single row, only on the rows that were there, and not on those that are added.
 */
export interface Validity {
  /** From before the response was read. */
  readonly version: DatabaseVersion;
  readonly dependsOn: 'rows' | 'row';
}

/** Whether a response is still what the database gives at a version. */
export const isValid = ({ version, dependsOn }: Validity, { epoch, newestId }: DatabaseVersion): boolean =>
  version.epoch === epoch && (dependsOn === 'row' || version.newestId === newestId);

/**
 * Creates the function that tells the version of a database.
 *
 * @param maxStalenessMs for how long the version that was asked for last will do; 0 asks each time
 */
export function versionsOf(database: Pick<Database, 'version'>, maxStalenessMs: number) {
  let last: DatabaseVersion | undefined;
  let askedAt = 0;
  return async (): Promise<DatabaseVersion> => {
    const now = performance.now();
    if (last !== undefined && now - askedAt < maxStalenessMs) return last;
    last = await database.version();
    askedAt = now;
    return last;
  };
}
