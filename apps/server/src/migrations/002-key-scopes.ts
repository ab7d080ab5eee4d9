import type { EngineSyntax } from '@petstore/database/migrations/engine-syntax';
import type { SchemaMigration } from '@petstore/database/migrations/schema-migration';

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
