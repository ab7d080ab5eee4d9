export { createMemoryPetStore, type MemoryPetStore, type MemoryPetStoreOptions } from './memory-pet-store.ts';
