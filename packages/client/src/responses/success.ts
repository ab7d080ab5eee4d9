import { findLink } from '@petstore/contract/link';
import type { Operation, PaginatedOperation } from '../contract.ts';
import type { OperationRequest } from '../requests/build-request.ts';
import { responseError } from './classify.ts';
import type { ContractResponses, PetStoreResponses, ReceivedResponse, WithRequestId } from './response.ts';

/** The response to a successful call. */
export interface SuccessResponse<Name extends Operation> extends WithRequestId {
  status: Successful<Name>['status'];
  headers: Headers;
  body: SuccessBodies[Name];
}

/** The additional property of a page. */
export interface NextPage {
  /** The `cursor` of the next page; `undefined` on the last page. */
  next: string | undefined;
}

export type PetsPage = SuccessResponse<'listPets'> & NextPage;

export type SuccessBodies = { [Name in Operation]: Successful<Name>['body'] };

/** The result of each operation of `withResponse`. */
export type SuccessResponses = {
  [Name in Operation]: SuccessResponse<Name> & (Name extends PaginatedOperation ? NextPage : unknown);
};

type Successful<Name extends Operation> = Extract<
  ContractResponses[Name],
  { status: 200 | 201 | 202 | 203 | 204 | 205 | 206 | 207 }
>;

/** Returns the response if it is a success, with the cursor of the next page. @throws PetStoreError otherwise */
export function expectSuccess<Name extends Operation>(
  request: OperationRequest<Name>,
  response: PetStoreResponses[Name],
): SuccessResponses[Name] {
  if (!isSuccess<Name>(response)) throw responseError(request, response);
  // `next` is undefined for an operation without pages, whose type leaves it out.
  return Object.assign(response, { next: findCursor(request, response) });
}

function isSuccess<Name extends Operation>(response: ReceivedResponse): response is SuccessResponses[Name] {
  return response.status < 300;
}

/**
 * Finds the cursor of the `next` link (RFC 8288). The client ignores the rest of the link and calls its own base URL:
 * a service behind a proxy may not know its public URL, and the API key goes to no other host.
 * @throws UnexpectedResponseError when the link has no cursor
 */
function findCursor(request: OperationRequest<Operation>, response: ReceivedResponse): string | undefined {
  const target = findLink(response.headers.get('link'), 'next');
  if (target === undefined) return undefined;
  const [, query] = /\?([^#]*)/.exec(target) ?? [];
  const cursor = new URLSearchParams(query).get('cursor');
  if (!cursor) throw responseError(request, response, 'has a next link without a cursor');
  return cursor;
}
