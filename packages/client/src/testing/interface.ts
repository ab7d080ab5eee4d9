/** The version of the interface that this client speaks: `contract.ts` is generated from it. */
export { ListPetsQuery, NewPet, type Pet, v1 as version } from '@petstore/contract';
export { default as openApi } from '@petstore/contract/openapi.json' with { type: 'json' };
