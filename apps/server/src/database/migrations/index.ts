import type { Migration } from 'kysely/migration';
import { initial } from './001-initial.ts';

/** The history of the schema, in order. A migration that has landed is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  '001-initial': initial,
};
