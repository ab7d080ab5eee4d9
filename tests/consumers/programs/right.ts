// What a user may write. It compiles under strict settings, runs, and prints "right".
import {
  createPetStore,
  type ErrorBody,
  isPetStoreError,
  type NewPet,
  type Pet,
  type PetStore,
  type PetStoreResponse,
  type PetsPage,
} from '@petstore/client';
import { createPetStoreQueries } from '@petstore/client/tanstack-query';
import { exactBody, petStoreFetcher } from '@petstore/client/ts-rest';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const isEqual = <A, B>(equal: Equal<A, B>) => equal;

declare const process: { env: Record<string, string | undefined> };

const baseUrl = process.env.PETSTORE_BASE_URL ?? '';
const apiKey = process.env.PETSTORE_API_KEY ?? '';
const store: PetStore = createPetStore({
  baseUrl,
  apiKey,
  onRequest: ({ headers }) => headers.set('x-request-id', 'a-1'),
});

const newPet: NewPet = { name: 'Ñandú 🦤', categoryId: 9007199254740993n, status: 'sold' };
const pet = await store.createPet(newPet);
isEqual<typeof pet, Pet>(true);
isEqual<Pet['id'], number | bigint>(true);
isEqual<Pet['status'], 'available' | 'pending' | 'sold' | undefined>(true);
check(pet.name === newPet.name && pet.categoryId === newPet.categoryId, 'the pet that was added');

const { next, body, requestId } = await store.withResponse.listPets({ limit: 1, status: 'sold' });
isEqual<typeof next, string | undefined>(true);
isEqual<typeof requestId, string | undefined>(true);
check(body.length === 1 && requestId === 'a-1', 'a page');

let isListed = false;
for await (const { id } of store.pets({ status: 'sold', pageSize: 100 })) if (id === pet.id) isListed = true;
check(isListed, 'all pages');

// Page by page, each iteration resumed where the one before it ended.
const resumed: Pet[] = [];
let cursor: string | undefined;
do {
  for await (const page of store.pets({ status: 'sold', pageSize: 1, cursor }).pages()) {
    isEqual<typeof page, PetsPage>(true);
    resumed.push(...page.body);
    cursor = page.next;
    break;
  }
} while (cursor !== undefined);
check(
  resumed.some(({ id }) => id === pet.id),
  'a resumed iteration',
);

const response: PetStoreResponse<'getPet'> | { status: 'failed' } = await store.safe.getPet(2n ** 62n);
if (response.status === 404) isEqual<typeof response.body, ErrorBody>(true);
check(response.status === 404 && response.body.code === 'pet_not_found', 'an Error as a response');

const error: unknown = await store.createPet({ name: '\0', categoryId: 1 }).catch((error: unknown) => error);
check(isPetStoreError(error) && error.name === 'ServiceError' && error.code === 'invalid_body', 'an Error');

const { queryKey } = createPetStoreQueries(store).getPet.queryOptions(1n);
check(JSON.stringify(queryKey) === '["petstore","getPet",{"petId":"1"}]', 'a key');
check(typeof petStoreFetcher({ apiKey }) === 'function' && exactBody(newPet).name === newPet.name, 'ts-rest');

console.log('right');

function check(isRight: boolean, what: string): void {
  if (!isRight) throw new Error(`wrong: ${what}`);
}
