import type { ListPetsQuery, NewPet, Pet, PetId, Pets } from '../contract.ts';
import type { PetStore } from '../pet-store.ts';
import { randomIdempotencyKey } from '../requests/idempotency-key.ts';

interface QueryOptions<Data> {
  queryKey: QueryKey;
  queryFn: (context: { signal: AbortSignal }) => Promise<Data>;
  /** Off, because the client retries itself. */
  retry: false;
}

interface InfiniteQueryOptions {
  queryKey: QueryKey;
  queryFn: (context: { signal: AbortSignal; pageParam: string | undefined }) => Promise<InfinitePage>;
  initialPageParam: string | undefined;
  getNextPageParam: (page: InfinitePage) => string | undefined;
  retry: false;
}

interface MutationOptions {
  mutationKey: QueryKey;
  mutationFn: (variables: CreatePetVariables) => Promise<Pet>;
  retry: false;
}

/** The variables of the mutation that adds a pet. */
export interface CreatePetVariables {
  pet: NewPet;
  /**
   * Identifies this creation: 1 to 255 visible ASCII characters. Mutations with the same key and the same pet
   * within 24 hours add the pet once.
   *
   * @default one that every mutation with an equal pet has until one of them succeeds
   */
  idempotencyKey?: string | undefined;
}

/** One page of an infinite list. */
export interface InfinitePage {
  pets: Pets;
  /** The `cursor` of the next page; `undefined` on the last. */
  next: string | undefined;
}

/** The key of a query. It can be written as JSON, although ids can be bigints. */
export type QueryKey = readonly [prefix: string, operation?: string, parameters?: object];

/** Options for the hooks of TanStack Query 5, by operation. */
export interface PetStoreQueries {
  /** The key that all queries begin with: `queryClient.invalidateQueries({ queryKey: queries.key })`. */
  key: QueryKey;
  listPets: {
    /** The key that all queries of listPets begin with, finite and infinite. */
    key: QueryKey;
    queryOptions(query?: ListPetsQuery): QueryOptions<Pets>;
    infiniteQueryOptions(query?: Omit<ListPetsQuery, 'cursor'>): InfiniteQueryOptions;
  };
  createPet: { mutationOptions(): MutationOptions };
  /** @deprecated To be removed on 5 December 2030: use `listPets` with a `status` instead. */
  getPet: { queryOptions(petId: PetId): QueryOptions<Pet> };
}

/**
 * Creates options for TanStack Query, whatever the framework.
 *
 * @param prefix tells the keys of several stores in one app apart
 */
export function createPetStoreQueries(store: PetStore, prefix = 'petstore'): PetStoreQueries {
  const listKey = [prefix, 'listPets'] as const;
  const createPet = createPetOnce(store);

  return {
    key: [prefix],

    listPets: {
      key: listKey,
      queryOptions: (query = {}) => ({
        queryKey: [...listKey, query],
        queryFn: ({ signal }) => store.listPets(query, { signal }),
        retry: false,
      }),
      infiniteQueryOptions: (query = {}) => ({
        queryKey: [...listKey, { ...query, isInfinite: true }],
        queryFn: async ({ signal, pageParam: cursor }) => {
          const { body, next } = await store.withResponse.listPets({ ...query, cursor }, { signal });
          return { pets: body, next };
        },
        initialPageParam: undefined,
        getNextPageParam: ({ next }) => next,
        retry: false,
      }),
    },

    createPet: {
      mutationOptions: () => ({
        mutationKey: [prefix, 'createPet'],
        mutationFn: createPet,
        retry: false,
      }),
    },

    getPet: {
      queryOptions: (petId) => ({
        // As text, because TanStack Query passes keys to JSON.stringify, which throws on a bigint.
        queryKey: [prefix, 'getPet', { petId: `${petId}` }],
        queryFn: ({ signal }) => store.getPet(petId, { signal }),
        retry: false,
      }),
    },
  };
}

/**
 * Creates the function that adds a pet once, however often a person submits the same form: a pet whose response
 * was lost is sent again with the same key.
 *
 * The keys belong to the contents of pets, because a form makes a new object for each submission, and a component
 * calls `mutationOptions` each time that it renders.
 */
function createPetOnce(store: PetStore): MutationOptions['mutationFn'] {
  const keys = new Map<string, string>();
  return async ({ pet, idempotencyKey }) => {
    // As text, so that 1 and 1n are equal.
    const content = JSON.stringify(
      Object.entries(pet)
        .map((property) => property.join())
        .sort(),
    );
    const key = idempotencyKey ?? keys.get(content) ?? randomIdempotencyKey();
    keys.set(content, key);
    const added = await store.createPet(pet, { idempotencyKey: key });
    // From now on, an equal pet is another one.
    if (keys.get(content) === key) keys.delete(content);
    return added;
  };
}
