import type { NewPet, PetStore } from '@petstore/client';

const NAMES = 'Ñandú Rex Luna Milo Bella Žofka Simba Nala Łatka Coco Bruno Kiwi Pépin'.split(' ');

const STATUSES: readonly NewPet['status'][] = ['available', 'available', 'pending', 'sold', undefined];

/** Adds 150 animals to look at to a pet store that has none. Run twice at a time, it adds them once. */
export async function seed(store: PetStore, signal: AbortSignal): Promise<void> {
  const [first] = await store.listPets({ limit: 1 }, { signal });
  for (let index = 0; first === undefined && index < 150; index += 1) {
    const name = NAMES[index % NAMES.length] ?? '';
    const pet = { name, categoryId: 1 + ((index * 7) % 12), status: STATUSES[index % STATUSES.length] };
    await store.createPet(pet, { idempotencyKey: `demo-${index}`, signal });
  }
}
