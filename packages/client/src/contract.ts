/** What the contract says, as types: inferred from it, never restated. */
import type { contract } from '@petstore/contract';
import type { ClientInferRequest, ClientInferResponses } from '@ts-rest/core';

export type Routes = typeof contract.pets;
type Requests = ClientInferRequest<Routes>;

/** Every answer that the contract has for each operation: status, body and header fields. */
export type Answers = ClientInferResponses<Routes>;

/** The name of an operation. */
export type Operation = keyof Answers;

/** What an answer carries beyond the contract's status, body and header fields. */
export interface Identified {
  /** Quote it when asking the service's operators for help: it leads to their log. */
  requestId: string | undefined;
}

/** Any answer of the contract to an operation: `Answer<'createPet'>`. Narrow it by `status`. */
export type Answer<Name extends Operation> = Answers[Name] & Identified;

type Animal = Extract<Answers['getPet'], { status: 200 }>['body'];

// Interfaces, because an editor shows their names where it would spell an alias out.

/** An animal of the catalogue. `status` is absent when it was left out on creation. */
export interface Pet extends Members<Animal> {}

/** An animal to add to the catalogue. */
export interface NewPet extends Members<Requests['createPet']['body']> {}

/** Which animals to list: `status`, at most `limit` (1 to 100, by default 20) at a time. */
export interface ListPetsQuery extends Members<NonNullable<Requests['listPets']['query']>> {}

/** Identifier of an animal: a `number`, or a `bigint` where a number would be rounded. */
export type PetId = Requests['getPet']['params']['petId'];

type Members<Type> = { [Name in keyof Type]: Type[Name] };
