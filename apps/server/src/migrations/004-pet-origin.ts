import type { EngineSyntax } from '@petstore/database/migrations/engine-syntax';
import type { SchemaMigration } from '@petstore/database/migrations/schema-migration';

/** Operators see when each pet was added, and by which API key. */
export const petOrigin = ({ int64 }: EngineSyntax): SchemaMigration => ({
  // Older releases leave both columns null.
  servesSince: '001-initial',

  async up(db) {
    await db.schema.alterTable('pets').addColumn('created_at', int64).execute();
    await db.schema.alterTable('pets').addColumn('created_by', 'text').execute();
  },
});
