import type { v1 } from '@petstore/contract';
import type { ClientInferRequest, ClientInferResponses } from '@ts-rest/core';
import { expectTypeOf } from 'vitest';
import type {
  CreateOptions,
  ErrorBody,
  Failure,
  ListPetsQuery,
  NewPet,
  Operation,
  Pet,
  PetId,
  PetPaginator,
  PetStore,
  PetStoreErrorCode,
  PetStoreResponse,
  PetsPage,
  SuccessResponse,
} from './index.ts';
import {
  createPetStore,
  isPetStoreError,
  NetworkError,
  ServiceError,
  UnexpectedResponseError,
} from './index.ts';
import type { IDEMPOTENCY_KEY } from './requests/build-request.ts';

declare const store: PetStore;

type Contract = typeof v1.contract;
type Requests = ClientInferRequest<Contract['pets']>;
type Responses = ClientInferResponses<Contract['pets']>;
type WithRequestId = { requestId: string | undefined };
type Body<Name extends keyof Responses, Status> = Extract<Responses[Name], { status: Status }>['body'];

// Parameters and results have the types of the contract.
expectTypeOf<NewPet>().toEqualTypeOf<Requests['createPet']['body']>();
expectTypeOf<ListPetsQuery>().toEqualTypeOf<NonNullable<Requests['listPets']['query']>>();
expectTypeOf<PetId>().toEqualTypeOf<Requests['getPet']['params']['petId']>();
expectTypeOf<ErrorBody>().toEqualTypeOf<Body<'getPet', 404>>();
expectTypeOf<typeof IDEMPOTENCY_KEY>().toEqualTypeOf<keyof Requests['createPet']['headers']>();
expectTypeOf<Pet>().toEqualTypeOf<Body<'getPet', 200>>();
expectTypeOf<Pet>().toEqualTypeOf<Body<'createPet', 201>>();
expectTypeOf<Pet[]>().toEqualTypeOf<Body<'listPets', 200>>();
expectTypeOf<Extract<PetStoreResponse<'createPet'>, { status: 201 }>>().toExtend<
  SuccessResponse<'createPet'>
>();
expectTypeOf<Extract<PetStoreResponse<'listPets'>, { status: 200 }>>().toExtend<
  SuccessResponse<'listPets'>
>();
expectTypeOf<Extract<PetStoreResponse<'getPet'>, { status: 200 }>>().toExtend<SuccessResponse<'getPet'>>();
expectTypeOf<Pet['id']>().toEqualTypeOf<number | bigint>();
expectTypeOf<PetStoreResponse<'listPets'>>().toExtend<Responses['listPets'] & WithRequestId>();
expectTypeOf<Responses['listPets'] & WithRequestId>().toExtend<PetStoreResponse<'listPets'>>();
expectTypeOf<PetStoreResponse<'createPet'>>().toExtend<Responses['createPet'] & WithRequestId>();
expectTypeOf<Responses['createPet'] & WithRequestId>().toExtend<PetStoreResponse<'createPet'>>();
expectTypeOf<PetStoreResponse<'getPet'>>().toExtend<Responses['getPet'] & WithRequestId>();
expectTypeOf<Responses['getPet'] & WithRequestId>().toExtend<PetStoreResponse<'getPet'>>();
expectTypeOf<Extract<PetStoreResponse<'getPet'>, { status: 404 }>['body']>().toEqualTypeOf<ErrorBody>();
expectTypeOf<Operation>().toEqualTypeOf<
  { [Resource in keyof Contract]: keyof Contract[Resource] }[keyof Contract]
>();

expectTypeOf(store.listPets).returns.resolves.toEqualTypeOf<Pet[]>();
expectTypeOf(store.createPet).returns.resolves.toEqualTypeOf<Pet>();
expectTypeOf(store.getPet).returns.resolves.toEqualTypeOf<Pet>();
expectTypeOf(store.pets).returns.toEqualTypeOf<PetPaginator>();
expectTypeOf(store.pets().pages).returns.toEqualTypeOf<AsyncIterable<PetsPage>>();
expectTypeOf(store.withResponse.listPets).returns.resolves.toHaveProperty('body').toEqualTypeOf<Pet[]>();
expectTypeOf(store.safe.createPet).returns.resolves.toEqualTypeOf<PetStoreResponse<'createPet'> | Failure>();
expectTypeOf(store.withResponse.createPet).returns.resolves.toHaveProperty('body').toEqualTypeOf<Pet>();

store.listPets({ status: 'available', limit: 5 });
store.createPet({ name: 'a', categoryId: 1n, status: 'sold' }, { idempotencyKey: 'k' });

// @ts-expect-error the status does not exist
store.listPets({ status: 'lost' });
// @ts-expect-error the status does not exist
store.pets({ status: 'lost' });
// @ts-expect-error the parameter does not exist
store.listPets({ offset: 5 });
// @ts-expect-error a limit is a number
store.listPets({ limit: '5' });
// @ts-expect-error a name is required
store.createPet({ categoryId: 1 });
// @ts-expect-error the service assigns the id
store.createPet({ id: 1, name: 'a', categoryId: 1 });
// @ts-expect-error the option does not exist
store.createPet({ name: 'a', categoryId: 1 }, { idempotence: 'k' });
// @ts-expect-error the option does not exist
store.listPets({}, { idempotencyKey: 'k' });
// @ts-expect-error the option does not exist
store.listPets({}, { timeout: 5 });
// @ts-expect-error the size of a page is pageSize
store.pets({ limit: 5 });
// @ts-expect-error the option does not exist
createPetStore({ baseUrl: 'https://pets.example/v1', apiKey: 'k', retry: 3 });
createPetStore({ baseUrl: 'https://pets.example/v1', apiKey: 'k', fetch: globalThis.fetch });
// @ts-expect-error a key is required
createPetStore({ baseUrl: 'https://pets.example/v1' });
// @ts-expect-error an id is not a string
store.getPet('42');
// @ts-expect-error a page has no id
(await store.listPets()).id;

const response = await store.safe.createPet({ name: 'a', categoryId: 1 });
// @ts-expect-error the body may be missing
response.body;
// @ts-expect-error only a success has an id
if (response.status !== 'failed') response.body.id;
if (response.status === 201) expectTypeOf(response.body.id).toEqualTypeOf<PetId>();

/** A `switch` over every status is exhaustive. */
export function describeResponse(
  response: Extract<PetStoreResponse<'getPet'> | Failure, { status: 'failed' | 200 | 304 | 404 }>,
): string {
  switch (response.status) {
    case 'failed':
      return response.error.code;
    case 200:
      return response.body.name;
    case 304:
      return 'unchanged';
    case 404:
      return response.body.message;
    default:
      return response satisfies never;
  }
}

'network_error' satisfies PetStoreErrorCode;
new ServiceError('Sorry.', { code: 'stopping', status: 503, isRetryable: true });
// A newer service may send codes that this release does not know.
new ServiceError('Sorry.', { code: 'teapot', status: 418, isRetryable: false });
// @ts-expect-error a response has a status
new ServiceError('Sorry.', { code: 'stopping', status: undefined, isRetryable: true });
// @ts-expect-error the code belongs to the service
new NetworkError('Sorry.', { code: 'stopping', status: undefined, isRetryable: true });
// @ts-expect-error without a response there is no status
new NetworkError('Sorry.', { code: 'network_error', status: 503, isRetryable: true });
// @ts-expect-error the only code is unexpected_response
new UnexpectedResponseError('Sorry.', { code: 'timeout', status: 503, isRetryable: true });
'pet_not_found' satisfies PetStoreErrorCode;
declare const error: unknown;
if (isPetStoreError(error) && error.name === 'ServiceError')
  expectTypeOf(error.code).toEqualTypeOf<ErrorBody['code']>();
expectTypeOf<CreateOptions['signal']>().toEqualTypeOf<AbortSignal | undefined>();
