import type { v1 } from '@petstore/contract';
import type { ErrorBody, Operation, Pet, Responses, Routes } from './contract.ts';

/** A path under the base address, which includes the version prefix. */
type RelativePath<Path> = Path extends `${(typeof v1)['prefix']}${infer Rest}` ? Rest : never;

/** What the body of a response is. */
export type BodyKind = 'pet' | 'pets' | 'error' | 'none';
type KindOf<Body> = Body extends undefined
  ? 'none'
  : Body extends ErrorBody
    ? 'error'
    : Body extends readonly Pet[]
      ? 'pets'
      : Body extends Pet
        ? 'pet'
        : never;

/**
 * What a request needs of the contract at run time. Importing the contract would bring its schemas along.
 * The type holds this table to the contract: a change there does not compile until it is made here.
 */
type RouteTable = {
  [Name in Operation]: {
    method: Routes[Name]['method'];
    path: RelativePath<Routes[Name]['path']>;
    responses: { [Response in Responses[Name] as Response['status']]: KindOf<Response['body']> };
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
    responses: { ...common, 200: 'pets', 304: 'none', 400: 'error', 412: 'error' },
  },
  createPet: {
    method: 'POST',
    path: '/pets',
    responses: {
      ...common,
      201: 'pet',
      400: 'error',
      409: 'error',
      413: 'error',
      415: 'error',
      422: 'error',
    },
  },
  getPet: {
    method: 'GET',
    path: '/pets/:petId',
    responses: { ...common, 200: 'pet', 304: 'none', 404: 'error', 412: 'error' },
  },
} as const satisfies RouteTable;
