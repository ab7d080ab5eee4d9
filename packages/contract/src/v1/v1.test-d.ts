import type { ClientInferRequest, ClientInferResponses, ServerInferRequest } from '@ts-rest/core';
import { expectTypeOf } from 'vitest';
import type * as z from 'zod/mini';
import type { ErrorBody, ErrorCode } from '../error.ts';
import type { Cursor } from './cursor.ts';
import type { NewPet, PetStatus } from './pet.ts';
import type { v1 } from './v1.ts';

type Routes = (typeof v1.contract)['pets'];

type Received = ServerInferRequest<Routes>;
type Sent = ClientInferRequest<Routes>;
type Responses = ClientInferResponses<Routes>;
type IdempotencyKeyField = { 'idempotency-key'?: string | undefined };
type Body<AnyResponse, Status> = Extract<AnyResponse, { status: Status; body: unknown }>['body'];

// The server receives parsed values.
expectTypeOf<Received['listPets']['query']['limit']>().toEqualTypeOf<number>();
expectTypeOf<Received['listPets']['query']['status']>().toEqualTypeOf<PetStatus | undefined>();
expectTypeOf<Received['listPets']['query']['cursor']>().toEqualTypeOf<Cursor | undefined>();
expectTypeOf<Received['createPet']['body']>().toEqualTypeOf<NewPet>();
expectTypeOf<Received['getPet']['params']['petId']>().toEqualTypeOf<number | bigint>();
expectTypeOf<Received['createPet']['headers']>().toEqualTypeOf<IdempotencyKeyField>();

// A caller sends values that can be written.
type ListPetsQuery = NonNullable<Sent['listPets']['query']>;
expectTypeOf<ListPetsQuery['limit']>().toEqualTypeOf<number | undefined>();
expectTypeOf<ListPetsQuery['status']>().toEqualTypeOf<PetStatus | undefined>();
expectTypeOf<ListPetsQuery['cursor']>().toEqualTypeOf<string | undefined>();
expectTypeOf<Sent['createPet']['body']>().toEqualTypeOf<z.input<typeof NewPet>>();
expectTypeOf<Sent['createPet']['headers']>().toEqualTypeOf<IdempotencyKeyField>();
expectTypeOf<Sent['getPet']['params']['petId']>().toEqualTypeOf<number | bigint>();

// Every status of the interface is known, and each has its body.
type Common = 400 | 401 | 408 | 417 | 429 | 431 | 500 | 503;
expectTypeOf<200 | 304 | 412 | Common>().toExtend<Responses['listPets']['status']>();
expectTypeOf<201 | 403 | 409 | 413 | 415 | 422 | Common>().toExtend<Responses['createPet']['status']>();
expectTypeOf<200 | 304 | 404 | 412 | Common>().toExtend<Responses['getPet']['status']>();
expectTypeOf<Body<Responses['listPets'], 412 | Common>>().toEqualTypeOf<ErrorBody>();
expectTypeOf<Body<Responses['createPet'], 403 | 409 | 413 | 415 | 422 | Common>>().toEqualTypeOf<ErrorBody>();
expectTypeOf<Body<Responses['getPet'], 404 | 412 | Common>>().toEqualTypeOf<ErrorBody>();

// @ts-expect-error a name is required
({ categoryId: 1 }) satisfies Sent['createPet']['body'];
// A newer service may return codes that this release does not know; those of the table stay suggestions.
({ code: 'teapot', message: 'a', status: 418 }) satisfies ErrorBody;
expectTypeOf<ErrorCode>().toExtend<ErrorBody['code']>();
// @ts-expect-error the table has no such code
'teapot' satisfies ErrorCode;
