import type { Kysely } from 'kysely';
import type { Tables } from './schema.ts';

/** Fails when pets cannot be read. */
export async function probe(db: Kysely<Tables>): Promise<void> {
  await db.selectFrom('pets').select('id').limit(1).execute();
}
