import type { EngineSyntax } from '../database/migrations/engine-syntax.ts';
import type { SchemaMigration } from '../database/migrations/schema-migration.ts';

export const keyScopes = ({ int64 }: EngineSyntax): SchemaMigration => ({
  // Older releases find no key that they would let do more than it may: see `insertKey`.
  servesSince: '001-initial',

  async up(db) {
    await db.schema
      .alterTable('api_keys')
      .addColumn('scope', 'text', (column) => column.notNull().defaultTo('write'))
      .execute();
    await db.schema.alterTable('api_keys').addColumn('last_used_at', int64).execute();
  },
});
