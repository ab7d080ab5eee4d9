import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnTypes } from './column-types.ts';

export const initial: Migration = {
  async up(db) {
    const { id, int64, uuid, tableEnd, keyedTableEnd } = columnTypes(db);
    await db.schema
      .createTable('pets')
      .addColumn('id', id)
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('category_id', int64, (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.check(sql`status in ('available', 'pending', 'sold')`))
      .addColumn('created_at', int64)
      .addColumn('created_by', 'text')
      .modifyEnd(tableEnd)
      .execute();
    await db.schema.createIndex('pets_status_id').on('pets').columns(['status', 'id']).execute();

    // In this order of columns PostgreSQL needs no padding. `created_at` is in minutes, which fit in 32 bits.
    await db.schema
      .createTable('idempotency_records')
      .addColumn('fingerprint', int64, (column) => column.notNull())
      .addColumn('pet_id', int64, (column) => column.notNull().references('pets.id').onDelete('cascade'))
      .addColumn('key', uuid, (column) => column.primaryKey().notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .modifyEnd(keyedTableEnd)
      .execute();
    // Finds the record of a removed pet, and the oldest records: ids of pets ascend.
    await db.schema
      .createIndex('idempotency_records_pet_id')
      .on('idempotency_records')
      .column('pet_id')
      .execute();

    await db.schema
      .createTable('api_keys')
      .addColumn('hash', 'text', (column) => column.primaryKey().notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('scope', 'text', (column) => column.notNull())
      .addColumn('rate_limit', 'text')
      .addColumn('created_at', int64, (column) => column.notNull())
      .addColumn('ends_at', int64)
      .addColumn('last_used_at', int64)
      .modifyEnd(tableEnd)
      .execute();
  },
};
