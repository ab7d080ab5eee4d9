import type { Pet } from '@petstore/contract';

export type Status = NonNullable<Pet['status']>;

export const STATUSES: readonly Status[] = ['available', 'pending', 'sold'];

const NAMES = ['Ñandú', 'Otter', 'Lop-eared rabbit', 'Dodo 🦤', 'Corn snake', 'Ferret', 'Budgerigar'];

/** The status that an animal has unless a database is filled otherwise: each is as frequent as the others. */
const evenStatus = (id: number): Status => STATUSES[id % STATUSES.length] ?? 'available';

/** The animal that every database holds under this id, so that an answer can be known beforehand. */
export const animal = (id: number, status = evenStatus(id)): Pet => ({
  id,
  name: `${NAMES[id % NAMES.length]} ${id}`,
  categoryId: (id % 50) + 1,
  status,
});

/** The first animals of a status, as a listing gives them. */
export function firstOf(status: Status, limit: number): Pet[] {
  const pets: Pet[] = [];
  for (let id = 1; pets.length < limit; id += 1) {
    if (animal(id).status === status) pets.push(animal(id));
  }
  return pets;
}
