import type { Pet } from '@petstore/client';
import { expect, test } from 'vitest';
import { Ledger, newPet, type Problem, seededPet } from './ledger.ts';

const SEEDED = 2;

/** A ledger of four creations, acknowledged out of order, and what a service has that keeps its promises. */
function createLedger() {
  const ledger = new Ledger(SEEDED);
  const serials = [1, 2, 3, 4].map(() => ledger.begin());
  const created = [3, 5, 4, 6].map((id, index) => ({ id, ...newPet(serials[index] ?? 0) }));
  for (const index of [3, 0, 2, 1]) {
    const [serial, pet] = [serials[index], created[index]];
    if (serial !== undefined && pet !== undefined) ledger.acknowledge(serial, pet);
  }
  const pets = [seededPet(1), seededPet(2), ...created.toSorted((one, other) => one.id - other.id)];
  return { ledger, serials, pets };
}

async function* paginate(pets: readonly Pet[]) {
  yield* pets;
}

const NONE = { lost: 0, doubled: 0, changed: 0, misplaced: 0 };

test('a service that has what it acknowledged has no problem', async () => {
  const { ledger, pets } = createLedger();
  expect(await ledger.audit(paginate(pets))).toBe(pets.length);
  expect(ledger.problems).toEqual(NONE);
  expect(ledger.acknowledged).toBe(4);
});

const isThird = ({ id }: Pet) => id === 3;

test.each<[string, (pets: Pet[]) => Pet[], Partial<Record<Problem, number>>]>([
  ['a pet that is missing', (pets) => pets.filter((pet) => !isThird(pet)), { lost: 1 }],
  ['a pet from the start that is missing', (pets) => pets.slice(1), { lost: 1 }],
  ['a pet that is there twice', (pets) => [...pets, { ...newPet(1), id: 7 }], { doubled: 1 }],
  [
    'a pet with another name',
    (pets) => pets.map((pet) => (pet.id === 1 ? { ...pet, name: 'Rex' } : pet)),
    { changed: 1 },
  ],
  [
    'a pet with another status',
    (pets) => pets.map((pet) => (isThird(pet) ? { ...pet, status: 'sold' } : pet)),
    { changed: 1 },
  ],
  [
    'a pet with a property more',
    (pets) => pets.map((pet) => (isThird(pet) ? { ...pet, tag: 1 } : pet)),
    { changed: 1 },
  ],
  ['a page that comes twice', (pets) => [...pets, ...pets.slice(-1)], { misplaced: 1 }],
  ['a pet that was not created', (pets) => [...pets, { ...newPet(99), id: 7 }], { doubled: 1 }],
])('the audit finds %s', async (_what, breakPets, problems) => {
  const { ledger, pets } = createLedger();
  await ledger.audit(paginate(breakPets(pets)));
  expect(ledger.problems).toEqual({ ...NONE, ...problems });
  expect(ledger.examples).toHaveLength(1);
});

test('a repetition that gives another pet is found at once', () => {
  const { ledger } = createLedger();
  ledger.acknowledge(1, { ...newPet(1), id: 8 });
  expect(ledger.problems).toEqual({ ...NONE, doubled: 1 });
});

test('a restore takes back what its backup lacks, and its ids may be assigned again', async () => {
  const { ledger, pets } = createLedger();
  ledger.takeBack(4);
  expect(ledger.takenBack).toBe(2);
  const serial = ledger.begin();
  const anew = { ...newPet(serial), id: 5 };
  ledger.acknowledge(serial, anew);
  await ledger.audit(paginate([...pets.slice(0, 4), anew]));
  expect(ledger.problems).toEqual(NONE);
});

test('a pet that comes back after a restore has taken it is found', async () => {
  const { ledger, pets } = createLedger();
  ledger.takeBack(4);
  await ledger.audit(paginate(pets.slice(0, 5)));
  expect(ledger.problems).toEqual({ ...NONE, doubled: 1 });
});

test.each([
  ['there', 1],
  ['missing', 0],
])('the pet of a call that has failed may be %s, and not there twice', async (_what, count) => {
  const { ledger, pets } = createLedger();
  const serial = ledger.begin();
  ledger.abandon(serial);
  const inDoubt = Array.from({ length: count }, () => ({ ...newPet(serial), id: 7 }));
  await ledger.audit(paginate([...pets, ...inDoubt]));
  expect(ledger.problems).toEqual(NONE);
  await ledger.audit(paginate([...pets, ...inDoubt, { ...newPet(serial), id: 8 }]));
  expect(ledger.problems.doubled).toBe(count);
});
