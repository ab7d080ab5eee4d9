/** The types of the contract, inferred from it and never restated. */
import type { v1 } from '@petstore/contract';
import type { ClientInferRequest, ClientInferResponses } from '@ts-rest/core';

export type Routes = (typeof v1.contract)['pets'];
type Requests = ClientInferRequest<Routes>;
type InferredResponses = ClientInferResponses<Routes>;

/** The name of an operation. */
export type Operation = keyof Routes;

/** Every response that the contract has for each operation: status, body and headers. */
export type Responses = { [Name in Operation]: WithNamedBody<InferredResponses[Name]> };

/** What every response carries beyond the contract's status, body and headers. */
export interface WithRequestId {
  /** The id of the request in the service's log: quote it when you ask the service's operators for help. */
  requestId: string | undefined;
}

/** Any response that the contract has for an operation: `PetStoreResponse<'createPet'>`. Narrow it by `status`. */
export type PetStoreResponse<Name extends Operation> = Responses[Name] & WithRequestId;

type WithNamedBody<Response> = Response extends { body: infer Body }
  ? Omit<Response, 'body'> & { body: Named<Body> }
  : never;

type Named<Body> = Body extends InferredPet
  ? Pet
  : Body extends readonly InferredPet[]
    ? Pet[]
    : Body extends InferredError
      ? ErrorBody
      : Body;

type InferredPet = Extract<InferredResponses['getPet'], { status: 200 }>['body'];
type InferredError = Extract<InferredResponses['getPet'], { status: 404 }>['body'];
type InferredNewPet = Requests['createPet']['body'];
type InferredQuery = NonNullable<Requests['listPets']['query']>;

// Interfaces, because an editor shows the name of an interface and spells an alias out.

/** A pet of the catalogue. `status` is absent when it was left out on creation. */
export interface Pet extends InferredPet {}

/** A pet to add to the catalogue. */
export interface NewPet extends InferredNewPet {}

/** The body of every error response (interface: Error). */
export interface ErrorBody extends InferredError {}

/** Which pets to list: those of a `status`, at most `limit` (1 to 100, default 20), from a `cursor` on. */
export interface ListPetsQuery extends InferredQuery {}

/** Identifier of a pet: a `number`, or a `bigint` where a number would be rounded. */
export type PetId = Requests['getPet']['params']['petId'];
