import type { Pet } from '@petstore/contract';

/** The pets of all peers, which have no properties that the contract adds later. */
export type PeerPet = Required<Pick<Pet, 'id' | 'name' | 'categoryId' | 'status'>>;

export type Status = NonNullable<Pet['status']>;

export const STATUSES: readonly Status[] = ['available', 'pending', 'sold'];

export const NAMES = ['Ñandú', 'Otter', 'Lop-eared rabbit', 'Dodo 🦤', 'Corn snake', 'Ferret', 'Budgerigar'];

const evenStatus = (id: number): Status => STATUSES[id % STATUSES.length] ?? 'available';

/**
 * The pet that every database holds under an id, so that a response can be known beforehand.
 *
 * @param status by default each status is as frequent as the others
 */
export const petWithId = (id: number, status = evenStatus(id)): PeerPet => ({
  id,
  name: `${NAMES[id % NAMES.length]} ${id}`,
  categoryId: (id % 50) + 1,
  status,
});

/** The first pets of a status, as a list has them. */
export function firstPets(status: Status, limit: number): PeerPet[] {
  const pets: PeerPet[] = [];
  for (let id = 1; pets.length < limit; id += 1) {
    if (petWithId(id).status === status) pets.push(petWithId(id));
  }
  return pets;
}
