import type { v1 } from '@petstore/contract';
import type { Answers, ErrorBody, Operation, Pet, Routes } from './contract.ts';

/** A path under the base address, which already includes the version prefix. */
type RelativePath<Path> = Path extends `${(typeof v1)['prefix']}${infer Rest}` ? Rest : never;

/** What the body of an answer is. */
export type BodyKind = 'pet' | 'pets' | 'error' | 'nothing';
type KindOf<Body> = Body extends undefined
  ? 'nothing'
  : Body extends ErrorBody
    ? 'error'
    : Body extends readonly Pet[]
      ? 'pets'
      : Body extends Pet
        ? 'pet'
        : never;

/**
 * What a request needs of the contract at run time. The contract itself would bring its schemas along;
 * this table is held to it by its type, so that a change there does not compile until it is made here.
 */
type RouteTable = {
  [Name in Operation]: {
    method: Routes[Name]['method'];
    path: RelativePath<Routes[Name]['path']>;
    answers: { [Answer in Answers[Name] as Answer['status']]: KindOf<Answer['body']> };
  };
};

const common = {
  401: 'error',
  408: 'error',
  417: 'error',
  431: 'error',
  500: 'error',
  503: 'error',
} as const;

export const routes = {
  listPets: {
    method: 'GET',
    path: '/pets',
    answers: { ...common, 200: 'pets', 304: 'nothing', 400: 'error', 412: 'error' },
  },
  createPet: {
    method: 'POST',
    path: '/pets',
    answers: { ...common, 201: 'pet', 400: 'error', 409: 'error', 413: 'error', 415: 'error', 422: 'error' },
  },
  getPet: {
    method: 'GET',
    path: '/pets/:petId',
    answers: { ...common, 200: 'pet', 304: 'nothing', 404: 'error', 412: 'error' },
  },
} as const satisfies RouteTable;
