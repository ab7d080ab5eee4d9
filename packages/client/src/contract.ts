/** What the contract says, as types: inferred from it, never restated. */
import type { v1 } from '@petstore/contract';
import type { ClientInferRequest, ClientInferResponses } from '@ts-rest/core';

export type Routes = (typeof v1.contract)['pets'];
type Requests = ClientInferRequest<Routes>;
type Responses = ClientInferResponses<Routes>;

/** The name of an operation. */
export type Operation = keyof Routes;

/** Every answer that the contract has for each operation: status, body and header fields. */
export type Answers = { [Name in Operation]: WithNamedBody<Responses[Name]> };

/** What an answer carries beyond the contract's status, body and header fields. */
export interface Identified {
  /** Quote it when asking the service's operators for help: it leads to their log. */
  requestId: string | undefined;
}

/** Any answer of the contract to an operation: `Answer<'createPet'>`. Narrow it by `status`. */
export type Answer<Name extends Operation> = Answers[Name] & Identified;

type WithNamedBody<Response> = Response extends { body: infer Body }
  ? Omit<Response, 'body'> & { body: Named<Body> }
  : never;

type Named<Body> = Body extends Animal
  ? Pet
  : Body extends readonly Animal[]
    ? Pet[]
    : Body extends Refusal
      ? ErrorBody
      : Body;

type Animal = Extract<Responses['getPet'], { status: 200 }>['body'];
type Refusal = Extract<Responses['getPet'], { status: 404 }>['body'];
type Addition = Requests['createPet']['body'];
type Listing = NonNullable<Requests['listPets']['query']>;

// Interfaces, because an editor shows their names where it would spell an alias out.

/** An animal of the catalogue. `status` is absent when it was left out on creation. */
export interface Pet extends Animal {}

/** An animal to add to the catalogue. */
export interface NewPet extends Addition {}

/** The body of every refusal (interface: Error). */
export interface ErrorBody extends Refusal {}

/** Which animals to list: `status`, at most `limit` (1 to 100, by default 20) at a time. */
export interface ListPetsQuery extends Listing {}

/** Identifier of an animal: a `number`, or a `bigint` where a number would be rounded. */
export type PetId = Requests['getPet']['params']['petId'];
