import type { EngineSyntax } from '../database/migrations/engine-syntax.ts';
import type { SchemaMigration } from '../database/migrations/schema-migration.ts';

/** Operators see when each pet was added, and by which API key. */
export const petOrigin = ({ int64 }: EngineSyntax): SchemaMigration => ({
  // Older releases leave both columns null.
  servesSince: '001-initial',

  async up(db) {
    await db.schema.alterTable('pets').addColumn('created_at', int64).execute();
    await db.schema.alterTable('pets').addColumn('created_by', 'text').execute();
  },
});
