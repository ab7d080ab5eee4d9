export type { Answer, ListPetsQuery, NewPet, Operation, Pet, PetId } from './contract.ts';
export { createPetStore, type PetStore, type PetStoreOptions } from './pet-store.ts';
export { PetStoreError, type PetStoreErrorCode } from './pet-store-error.ts';
export type { CreatePetOptions, SafePetStore } from './safe-pet-store.ts';
