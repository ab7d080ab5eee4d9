import type { ListPetsQuery, NewPet, Pet, PetId, Pets } from '../contract.ts';
import type { PetStore } from '../pet-store.ts';

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
  mutationFn: (pet: NewPet) => Promise<Pet>;
  retry: false;
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
 * Creates options for TanStack Query, whatever the framework: this module imports nothing.
 *
 * @param prefix tells the keys of several stores in one app apart
 */
export function createPetStoreQueries(store: PetStore, prefix = 'petstore'): PetStoreQueries {
  const listKey = [prefix, 'listPets'] as const;

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
        mutationFn: (pet) => store.createPet(pet),
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
