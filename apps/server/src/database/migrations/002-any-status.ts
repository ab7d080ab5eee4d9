import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { engineOf } from '../engine-of.ts';
import { columnTypes } from './column-types.ts';

const COLUMNS = ['id', 'name', 'category_id', 'status', 'created_at', 'created_by'];

/**
 * Removes the CHECK constraint of the status: the contract checks each value, and with the constraint every further
 * value would need a migration, on SQLite one that rebuilds the table.
 */
export const anyStatus: Migration = {
  async up(db) {
    if (engineOf(db) === 'postgres') {
      await db.schema.alterTable('pets').dropConstraint('pets_status_check').execute();
      return;
    }
    const { id, int64, tableEnd } = columnTypes(db);
    await db.schema
      .createTable('rebuilt_pets')
      .addColumn('id', id)
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('category_id', int64, (column) => column.notNull())
      .addColumn('status', 'text')
      .addColumn('created_at', int64)
      .addColumn('created_by', 'text')
      .modifyEnd(tableEnd)
      .execute();
    const columns = sql.join(COLUMNS.map((name) => sql.ref(name)));
    await sql`insert into rebuilt_pets (${columns}) select ${columns} from pets`.execute(db);
    // Nothing cascades, and ids of removed rows are not used again: see `migrateConnection`.
    await db.schema.dropTable('pets').execute();
    await db.schema.alterTable('rebuilt_pets').renameTo('pets').execute();
    await db.schema.createIndex('pets_status_id').on('pets').columns(['status', 'id']).execute();
  },
};
