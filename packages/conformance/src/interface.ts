/** The version of the interface that this suite checks. */
export { NewPet, Pet, PetStatus, Pets, pageSize, v1 as version } from '@petstore/contract';
export { default as openApi } from '@petstore/contract/openapi.json' with { type: 'json' };
