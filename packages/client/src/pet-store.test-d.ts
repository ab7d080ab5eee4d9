import type { v1 } from '@petstore/contract';
import type { ClientInferRequest, ClientInferResponses } from '@ts-rest/core';
import { expectTypeOf } from 'vitest';
import type {
  Answer,
  CreatePetOptions,
  ErrorBody,
  Failure,
  NewPet,
  Operation,
  Pet,
  PetId,
  PetStore,
  PetStoreErrorCode,
  PetWalk,
  Success,
} from './index.ts';
import {
  createPetStore,
  isServiceError,
  NoAnswerError,
  ServiceError,
  UnexpectedAnswerError,
} from './index.ts';
import type { SafeResults } from './safe.ts';

declare const store: PetStore;

type Requests = ClientInferRequest<(typeof v1.contract)['pets']>;
type Responses = ClientInferResponses<(typeof v1.contract)['pets']>;
type Identified = { requestId: string | undefined };
type Body<Name extends keyof Responses, Status> = Extract<Responses[Name], { status: Status }>['body'];

// What is taken and given is what the contract says.
expectTypeOf<NewPet>().toEqualTypeOf<Requests['createPet']['body']>();
expectTypeOf<PetId>().toEqualTypeOf<number | bigint>();
expectTypeOf<Pet>().toEqualTypeOf<Body<'getPet', 200>>();
expectTypeOf<Pet>().toEqualTypeOf<Body<'createPet', 201>>();
expectTypeOf<Pet[]>().toEqualTypeOf<Body<'listPets', 200>>();
expectTypeOf<Extract<Answer<'createPet'>, { status: 201 }>>().toExtend<Success<'createPet'>>();
expectTypeOf<Extract<Answer<'listPets'>, { status: 200 }>>().toExtend<Success<'listPets'>>();
expectTypeOf<Extract<Answer<'getPet'>, { status: 200 }>>().toExtend<Success<'getPet'>>();
expectTypeOf<Pet['id']>().toEqualTypeOf<number | bigint>();
expectTypeOf<Answer<'listPets'>>().toExtend<Responses['listPets'] & Identified>();
expectTypeOf<Responses['listPets'] & Identified>().toExtend<Answer<'listPets'>>();
expectTypeOf<Answer<'createPet'>>().toExtend<Responses['createPet'] & Identified>();
expectTypeOf<Responses['createPet'] & Identified>().toExtend<Answer<'createPet'>>();
expectTypeOf<Answer<'getPet'>>().toExtend<Responses['getPet'] & Identified>();
expectTypeOf<Responses['getPet'] & Identified>().toExtend<Answer<'getPet'>>();
expectTypeOf<Extract<Answer<'getPet'>, { status: 404 }>['body']>().toEqualTypeOf<ErrorBody>();
expectTypeOf<Operation>().toEqualTypeOf<keyof (typeof v1.contract)['pets']>();
expectTypeOf<SafeResults['getPet']>().toEqualTypeOf<Answer<'getPet'> | Failure>();

expectTypeOf(store.listPets).returns.resolves.toEqualTypeOf<Pet[]>();
expectTypeOf(store.createPet).returns.resolves.toEqualTypeOf<Pet>();
expectTypeOf(store.getPet).returns.resolves.toEqualTypeOf<Pet>();
expectTypeOf(store.pets).returns.toEqualTypeOf<PetWalk>();
expectTypeOf(store.pets().pages).returns.toEqualTypeOf<AsyncIterable<Pet[]>>();
expectTypeOf(store.safe.listPets).returns.resolves.toEqualTypeOf<Answer<'listPets'> | Failure>();
expectTypeOf(store.withResponse.listPets).returns.resolves.toHaveProperty('body').toEqualTypeOf<Pet[]>();
expectTypeOf(store.safe.createPet).returns.resolves.toEqualTypeOf<Answer<'createPet'> | Failure>();
expectTypeOf(store.withResponse.createPet).returns.resolves.toHaveProperty('body').toEqualTypeOf<Pet>();
expectTypeOf(store.safe.getPet).returns.resolves.toEqualTypeOf<Answer<'getPet'> | Failure>();
expectTypeOf(store.withResponse.getPet).returns.resolves.toHaveProperty('body').toEqualTypeOf<Pet>();

store.listPets({ status: 'available', limit: 5 });
store.createPet({ name: 'a', categoryId: 1n, status: 'sold' }, { idempotencyKey: 'k' });

// @ts-expect-error there is no such status filter
store.listPets({ status: 'lost' });
// @ts-expect-error there is no such status filter
store.pets({ status: 'lost' });
// @ts-expect-error there is no such parameter
store.listPets({ offset: 5 });
// @ts-expect-error a limit is a number
store.listPets({ limit: '5' });
// @ts-expect-error a name is required
store.createPet({ categoryId: 1 });
// @ts-expect-error the service assigns the id
store.createPet({ id: 1, name: 'a', categoryId: 1 });
// @ts-expect-error there is no such option
store.createPet({ name: 'a', categoryId: 1 }, { idempotence: 'k' });
// @ts-expect-error there is no such option
store.listPets({}, { idempotencyKey: 'k' });
// @ts-expect-error there is no such option
store.listPets({}, { timeout: 5 });
// @ts-expect-error the size of a page is pageSize, and the cursor is the walk's own
store.pets({ limit: 5 });
// @ts-expect-error there is no such option
createPetStore({ baseUrl: 'https://pets.example/v1', apiKey: 'k', retry: 3 });
createPetStore({ baseUrl: 'https://pets.example/v1', apiKey: 'k', fetch: globalThis.fetch });
// @ts-expect-error a key is required
createPetStore({ baseUrl: 'https://pets.example/v1' });
// @ts-expect-error an id is no text
store.getPet('42');
// @ts-expect-error a listing has no id
(await store.listPets()).id;

const answer = await store.safe.createPet({ name: 'a', categoryId: 1 });
// @ts-expect-error there may be no body
answer.body;
// @ts-expect-error only a success has an id
if (answer.status !== 'failed') answer.body.id;
if (answer.status === 201) expectTypeOf(answer.body.id).toEqualTypeOf<PetId>();

/** A `switch` over every status is exhaustive: a status that the contract adds does not compile here. */
export function describeAnswer(given: Answer<'getPet'> | Failure): string {
  switch (given.status) {
    case 'failed':
      return given.error.code;
    case 200:
      return given.body.name;
    case 304:
      return 'unchanged';
    case 401:
    case 404:
    case 408:
    case 412:
    case 417:
    case 431:
    case 500:
    case 503:
      return given.body.message;
    default:
      return given satisfies never;
  }
}

'no_answer' satisfies PetStoreErrorCode;
new ServiceError('Sorry.', { code: 'stopping', status: 503, retryable: true });
// A newer service may return codes that this release does not know.
new ServiceError('Sorry.', { code: 'teapot', status: 418, retryable: false });
// @ts-expect-error an answer has a status
new ServiceError('Sorry.', { code: 'stopping', status: undefined, retryable: true });
// @ts-expect-error that is a code of the service
new NoAnswerError('Sorry.', { code: 'stopping', status: undefined, retryable: true });
// @ts-expect-error no answer has no status
new NoAnswerError('Sorry.', { code: 'timeout', status: 503, retryable: true });
// @ts-expect-error there is one code
new UnexpectedAnswerError('Sorry.', { code: 'timeout', status: 503, retryable: true });
'pet_not_found' satisfies PetStoreErrorCode;
declare const error: unknown;
if (isServiceError(error)) expectTypeOf(error.code).toEqualTypeOf<ErrorBody['code']>();
expectTypeOf<CreatePetOptions['signal']>().toEqualTypeOf<AbortSignal | undefined>();
