import { NewPet, type Pet } from '@petstore/contract';
import { sql } from 'kysely';
import type * as z from 'zod/mini';
import type { Database, Session } from '../../src/database/database.ts';
import { CreateQueue } from '../../src/pets/create-queue.ts';
import { query } from '../../src/tables.ts';

/** Adds pets as the service does, without keys. */
export async function addPets(database: Database, pets: readonly z.input<typeof NewPet>[]): Promise<Pet[]> {
  const queue = new CreateQueue(database, { maxWaiting: Number.POSITIVE_INFINITY });
  const creations = await Promise.all(pets.map((pet) => queue.create({ pet: NewPet.parse(pet) })));
  return creations.flatMap((creation) => ('pet' in creation ? creation.pet : []));
}

const insert = query(
  { name: 'text', categoryId: 'int64' },
  (_db, $) => sql`insert into pets (name, category_id) values (${$('name')}, ${$('categoryId')})`,
);

/** Adds a pet as another program does, in a transaction of its own making. */
export const insertPet = (transaction: Session, pet: Pick<NewPet, 'name' | 'categoryId'>) =>
  transaction.query(insert, { name: pet.name, categoryId: pet.categoryId });
