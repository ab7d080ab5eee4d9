import type { ColumnTypes } from './column-types.ts';
import type { SchemaMigration } from './schema-migration.ts';

export const keyScopes = ({ int64 }: ColumnTypes): SchemaMigration => ({
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
