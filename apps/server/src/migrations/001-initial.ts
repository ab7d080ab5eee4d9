import { sql } from 'kysely';
import type { EngineSyntax } from '../database/migrations/engine-syntax.ts';
import type { SchemaMigration } from '../database/migrations/schema-migration.ts';

export const initial = ({ id, int64, tableEnd }: EngineSyntax): SchemaMigration => ({
  servesSince: '001-initial',

  async up(db) {
    await db.schema
      .createTable('pets')
      .addColumn('id', id)
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('category_id', int64, (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.check(sql`status in ('available', 'pending', 'sold')`))
      .modifyEnd(tableEnd)
      .execute();
    await db.schema.createIndex('pets_status_id').on('pets').columns(['status', 'id']).execute();

    await db.schema
      .createTable('idempotency_keys')
      .addColumn('key', 'text', (column) => column.primaryKey().notNull())
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .addColumn('pet_id', int64, (column) => column.notNull())
      .addColumn('created_at', int64, (column) => column.notNull())
      .modifyEnd(tableEnd)
      .execute();
    await db.schema
      .createIndex('idempotency_keys_created_at')
      .on('idempotency_keys')
      .column('created_at')
      .execute();

    await db.schema
      .createTable('api_keys')
      .addColumn('hash', 'text', (column) => column.primaryKey().notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('created_at', int64, (column) => column.notNull())
      .addColumn('revoked_at', int64)
      .modifyEnd(tableEnd)
      .execute();
    // A name has one valid key at most: rotating revokes one and creates another under the same name.
    await db.schema
      .createIndex('api_keys_valid_name')
      .on('api_keys')
      .column('name')
      .unique()
      .where(sql.ref('revoked_at'), 'is', null)
      .execute();
  },
});
