import type { NewPet, PetStore } from '@petstore/client';

const NAMES =
  'Ñandú Rex Luna Milo Bella Oscar Žofka Simba Nala Łatka Coco Bruno Kiwi Pépin Loki Maja Tofu Balu Ruby Max Frida ' +
  'Ziggy Hedwig Pip Juno Otto Mochi Gizmo Nele Sancho Wilma Pluto Ada Bob';

const STATUSES: readonly NewPet['status'][] = [
  'available',
  'available',
  'pending',
  'available',
  'sold',
  undefined,
];

const COUNT = 150;

/** Adds animals to look at to a pet store that has none. Run twice at a time, it adds them once. */
export async function seed(store: PetStore, signal: AbortSignal): Promise<void> {
  const [first] = await store.listPets({ limit: 1 }, { signal });
  if (first !== undefined) return;
  const names = NAMES.split(' ');
  for (let index = 0; index < COUNT; index += 1) {
    const pet: NewPet = {
      name: names[index % names.length] ?? '',
      categoryId: 1 + ((index * 7) % 12),
      status: STATUSES[index % STATUSES.length],
    };
    await store.createPet(pet, { idempotencyKey: `demo-${index}`, signal });
  }
}
