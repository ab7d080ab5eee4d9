import type { ErrorBody as ContractError, v1 } from '@petstore/contract';
import type { ClientInferRequest, ClientInferResponses } from '@ts-rest/core';
import { expectTypeOf } from 'vitest';
import type {
  ErrorBody,
  Failure,
  ListPetsQuery,
  NewPet,
  Operation,
  Pet,
  PetId,
  PetPaginator,
  PetStore,
  PetStoreResponse,
  PetsPage,
  SuccessResponse,
} from './index.ts';
import { createPetStore, isPetStoreError, ServiceError } from './index.ts';
import type { IDEMPOTENCY_KEY } from './requests/build-request.ts';

declare const store: PetStore;

type Contract = typeof v1.contract;
type Requests = ClientInferRequest<Contract['pets']>;
/** The client accepts error codes that its contract does not have. */
type WithAnyCode<Response> = Response extends { body: { code: string } }
  ? Omit<Response, 'body'> & { body: ErrorBody }
  : Response;
type ContractResponses = ClientInferResponses<Contract['pets']>;
type PetOperation = keyof ContractResponses;
type Responses = {
  [Name in PetOperation]: WithAnyCode<ContractResponses[Name]> & { requestId: string | undefined };
};
type ClientResponses = { [Name in PetOperation]: PetStoreResponse<Name> };

// Parameters and results have the types of the contract.
expectTypeOf<NewPet>().toEqualTypeOf<Requests['createPet']['body']>();
expectTypeOf<ListPetsQuery>().toEqualTypeOf<NonNullable<Requests['listPets']['query']>>();
expectTypeOf<PetId>().toEqualTypeOf<Requests['getPet']['params']['petId']>();
expectTypeOf<ClientInferResponses<Contract['pets']['getPet'], 404>['body']>().toExtend<ErrorBody>();
expectTypeOf<ErrorBody>().toEqualTypeOf<ContractError>();
expectTypeOf<typeof IDEMPOTENCY_KEY>().toEqualTypeOf<keyof Requests['createPet']['headers']>();
expectTypeOf<Pet>().toEqualTypeOf<ClientInferResponses<Contract['pets']['getPet'], 200>['body']>();
expectTypeOf<Extract<PetStoreResponse<'getPet'>, { status: 200 }>>().toExtend<SuccessResponse<'getPet'>>();
expectTypeOf<ClientResponses>().branded.toEqualTypeOf<Responses>();
expectTypeOf<Operation>().toEqualTypeOf<
  { [Resource in keyof Contract]: keyof Contract[Resource] }[keyof Contract]
>();

expectTypeOf(store.listPets).returns.resolves.toEqualTypeOf<Pet[]>();
expectTypeOf(store.getPet).returns.resolves.toEqualTypeOf<Pet>();
expectTypeOf(store.pets).returns.toEqualTypeOf<PetPaginator>();
expectTypeOf(store.pets().pages).returns.toEqualTypeOf<AsyncIterable<PetsPage>>();
expectTypeOf(store.withResponse.listPets).returns.resolves.toHaveProperty('body').toEqualTypeOf<Pet[]>();
expectTypeOf(store.safe.createPet).returns.resolves.toEqualTypeOf<PetStoreResponse<'createPet'> | Failure>();

// @ts-expect-error listPets has no option idempotencyKey
store.listPets({}, { idempotencyKey: 'k' });
// @ts-expect-error the option for the size of a page is pageSize
store.pets({ limit: 5 });
// @ts-expect-error a key is required
createPetStore({ baseUrl: 'https://pets.example/v1' });

const response = await store.safe.createPet({ name: 'a', categoryId: 1 });
// @ts-expect-error only a success has an id
if (response.status !== 'failed') response.body.id;

// A literal, so that a `switch` over every status can be exhaustive.
expectTypeOf<Failure['status']>().toEqualTypeOf<'failed'>();

// A newer service may send codes that this release does not know.
new ServiceError('Sorry.', { code: 'teapot', status: 418, isRetryable: false });
declare const error: unknown;
if (isPetStoreError(error) && error.name === 'ServiceError')
  expectTypeOf(error.code).toEqualTypeOf<ErrorBody['code']>();
