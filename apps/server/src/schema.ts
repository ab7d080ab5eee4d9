import type { Schema } from './database/schema.ts';
import { migrations } from './migrations/index.ts';
import { appendProgram } from './pets/append/append-program.ts';

export const schema: Schema = {
  name: 'petstore',
  // "PETS"
  applicationId: 0x50455453,
  migrations,
  // As in deploy/postgres/grants.sql.
  privileges: {
    pets: ['select', 'insert'],
    pets_id_seq: ['update'],
    idempotency_records: ['select', 'insert', 'update', 'delete'],
    api_keys: ['select', 'insert', 'update'],
  },
  append: appendProgram,
};
