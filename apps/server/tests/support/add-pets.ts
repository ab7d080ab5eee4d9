import { NewPet, type Pet } from '@petstore/contract';
import type * as z from 'zod/mini';
import type { Database } from '../../src/database/database.ts';
import { CreateQueue } from '../../src/pets/create-queue.ts';

/** Adds pets as the service does, without keys. */
export async function addPets(database: Database, pets: readonly z.input<typeof NewPet>[]): Promise<Pet[]> {
  const queue = new CreateQueue(database, { maxWaiting: Number.POSITIVE_INFINITY });
  const creations = await Promise.all(pets.map((pet) => queue.create({ pet: NewPet.parse(pet) })));
  return creations.flatMap((creation) => ('pet' in creation ? creation.pet : []));
}
