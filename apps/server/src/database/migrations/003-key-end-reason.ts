import type { Migration } from 'kysely/migration';

/** Adds why a key ends. A key that ended before this migration has no reason. */
export const keyEndReason: Migration = {
  async up(db) {
    await db.schema.alterTable('api_keys').addColumn('end_reason', 'text').execute();
  },
};
