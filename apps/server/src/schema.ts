import type { Schema } from './database/schema.ts';
import { migrations } from './migrations/index.ts';
import { newPetColumns } from './tables.ts';

/** What the service keeps in its database. */
export const schema: Schema = {
  name: 'petstore',
  // "PETS"
  applicationId: 0x50455453,
  migrations,
  versionedTable: 'pets',
  columns: newPetColumns,
  records: { table: 'idempotency_records', rowId: 'pet_id' },
};
