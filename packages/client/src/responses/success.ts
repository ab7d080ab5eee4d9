import { findLink } from '@petstore/contract/link';
import type { Operation, Responses } from '../contract.ts';
import type { OperationRequest } from '../requests/request-builders.ts';
import { responseError } from './classify.ts';
import type { PetStoreResponse, WithRequestId } from './response.ts';

/** The response to an operation that succeeded. */
export interface SuccessResponse<Name extends Operation> extends WithRequestId {
  status: Successful<Name>['status'];
  headers: Headers;
  body: SuccessBodies[Name];
}

/** One page of a listing. */
export interface PetsPage extends SuccessResponse<'listPets'> {
  /** The `cursor` of the next page; `undefined` on the last. */
  next: string | undefined;
}

/** The body of each operation's success. */
export type SuccessBodies = { [Name in Operation]: Successful<Name>['body'] };

/** What each operation of `withResponse` resolves to. */
export type SuccessResponses = {
  [Name in Operation]: Name extends 'listPets' ? PetsPage : SuccessResponse<Name>;
};

type Successful<Name extends Operation> = Extract<Responses[Name], { status: SuccessStatus }>;

type SuccessStatus<Status = Responses[Operation]['status']> = Status extends number
  ? `${Status}` extends `2${string}`
    ? Status
    : never
  : never;

/** Returns the response if it is a success. @throws PetStoreError otherwise */
export function expectSuccess<Name extends Operation>(
  request: OperationRequest<Name>,
  response: PetStoreResponse<Name> | SuccessResponse<Name>,
): SuccessResponse<Name> {
  if (isSuccess(response)) return response;
  throw responseError(request, response);
}

function isSuccess<Name extends Operation>(
  response: PetStoreResponse<Name> | SuccessResponse<Name>,
): response is SuccessResponse<Name> {
  return response.status < 300;
}

/**
 * Adds the cursor of the `next` link (RFC 8288). Only the cursor is taken from the link: the client calls its
 * own base address, so that a path prefix or an internal address keeps working and the API key goes nowhere else.
 *
 * @throws UnexpectedResponseError when the link has no cursor
 */
export function toPage(response: SuccessResponse<'listPets'>): PetsPage {
  const target = findLink(response.headers.get('link'), 'next');
  if (target === undefined) return { ...response, next: undefined };
  const [, query] = /\?([^#]*)/.exec(target) ?? [];
  const next = new URLSearchParams(query).get('cursor');
  if (!next) throw responseError({ operation: 'listPets' }, response, 'has a next link without a cursor');
  return { ...response, next };
}
