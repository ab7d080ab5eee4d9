import { APPLICATION_ID } from '../application-id.ts';

/**
 * Advisory locks. Every write holds `write` until its commit. Otherwise a reader of pages could miss a pet that is
 * committed after a pet with a higher id.
 */
export const locks = { migration: APPLICATION_ID, write: APPLICATION_ID + 1 } as const;
