import { type Int64, type NewPet, normalizeInteger, type Pet, type PetStatus } from '@petstore/contract';
import type { Kysely, Selectable } from 'kysely';
import type { Tables } from '../database/schema.ts';

type PetRow = Selectable<Tables['pets']>;

/**
 * A page of the listing: up to `limit` animals after the cursor, ascending by id. The index on
 * (status, id) and the primary key each give the rows in this order, however deep the page is.
 */
export async function listPets(
  db: Kysely<Tables>,
  { limit, after, status }: { limit: number; after?: Int64 | undefined; status?: PetStatus | undefined },
): Promise<Pet[]> {
  let query = db
    .selectFrom('pets')
    .select(['id', 'name', 'category_id', 'status'])
    .orderBy('id')
    .limit(limit);
  if (after !== undefined) query = query.where('id', '>', after);
  if (status !== undefined) query = query.where('status', '=', status);
  return (await query.execute()).map(toPet);
}

/** The animal with this id, or `undefined`. */
export async function findPet(db: Kysely<Tables>, id: Int64): Promise<Pet | undefined> {
  const row = await db
    .selectFrom('pets')
    .select(['id', 'name', 'category_id', 'status'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toPet(row);
}

/** Adds animals in one statement, and gives them back in the order they came in. */
export async function insertPets(db: Kysely<Tables>, pets: readonly NewPet[]): Promise<Pet[]> {
  if (pets.length === 0) return [];
  const rows = await db
    .insertInto('pets')
    .values(
      pets.map(({ name, categoryId, status }) => ({ name, category_id: categoryId, status: status ?? null })),
    )
    .returning(['id', 'name', 'category_id', 'status'])
    .execute();
  const inserted = rows.map(toPet);
  // SQL leaves the order of RETURNING open: better no animal than one under another's id.
  if (!pets.every((pet, index) => isSame(pet, inserted[index]))) {
    throw new Error('The database gave the new rows back in another order');
  }
  return inserted;
}

/** The one mapper from a row to a Pet: integers in their one form, and no `status` member without a status. */
export function toPet({ id, name, category_id, status }: PetRow): Pet {
  const pet = { id: toInt64(id), name, categoryId: toInt64(category_id) };
  return status === null ? pet : { ...pet, status };
}

const toInt64 = (value: Int64) => (typeof value === 'bigint' ? normalizeInteger(value) : value);

const isSame = (pet: NewPet, inserted: Pet | undefined) =>
  inserted !== undefined &&
  pet.name === inserted.name &&
  BigInt(pet.categoryId) === BigInt(inserted.categoryId) &&
  pet.status === inserted.status;
