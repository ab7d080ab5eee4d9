import type { EngineSyntax } from '../database/migrations/engine-syntax.ts';
import type { SchemaMigration } from '../database/migrations/schema-migration.ts';

/** An idempotency record takes less than its pet. */
export const compactRecords = ({ uuid, int64, keyedTableEnd }: EngineSyntax): SchemaMigration => ({
  // Where older releases can serve, records are written as they read them as well: see `FormerRecords`.
  servesSince: '001-initial',
  servesNewSince: '006-compact-records',

  async up(db) {
    // PostgreSQL pads nothing in this order.
    await db.schema
      .createTable('idempotency_records')
      .addColumn('fingerprint', int64, (column) => column.notNull())
      .addColumn('pet_id', int64, (column) => column.notNull())
      .addColumn('key', uuid, (column) => column.primaryKey().notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .modifyEnd(keyedTableEnd)
      .execute();
    await db.schema
      .createIndex('idempotency_records_created_at')
      .on('idempotency_records')
      .column('created_at')
      .execute();
  },
});
