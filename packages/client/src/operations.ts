import type { ListPetsQuery, NewPet, Operation, PetId } from './contract.ts';
import type { CallOptions, CreatePetOptions } from './options.ts';

/** The operations of the interface, each with what it resolves to. */
export interface Operations<Results extends Record<Operation, unknown>> {
  /** Lists one page of pets (interface: listPets). */
  listPets(query?: ListPetsQuery, options?: CallOptions): Promise<Results['listPets']>;
  /** Adds a pet; the service assigns its id (interface: createPet). Retries add it only once. */
  createPet(pet: NewPet, options?: CreatePetOptions): Promise<Results['createPet']>;
  /**
   * Fetches one pet (interface: getPet).
   *
   * @deprecated To be removed on 5 December 2030: use `listPets` with a `status` instead.
   */
  getPet(petId: PetId, options?: CallOptions): Promise<Results['getPet']>;
}
