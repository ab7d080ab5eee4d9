import type { Migration } from 'kysely/migration';
import { initial } from './001-initial.ts';
import { anyStatus } from './002-any-status.ts';
import { keyEndReason } from './003-key-end-reason.ts';

/** The history of the schema, in order. A migration that has landed is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  '001-initial': initial,
  '002-any-status': anyStatus,
  '003-key-end-reason': keyEndReason,
};
