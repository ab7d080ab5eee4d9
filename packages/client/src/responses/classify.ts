import type { Operation } from '../contract.ts';
import { ServiceError, UnexpectedResponseError } from '../errors.ts';
import type { OperationRequest } from '../requests/build-request.ts';
import {
  isContractResponse,
  isErrorBody,
  type PetStoreResponses,
  type ReceivedResponse,
} from './response.ts';
import { isRetryable, parseRetryAfter } from './retryable.ts';

/**
 * Decides whether a response is one that the contract has for the operation, and returns it.
 *
 * @throws ServiceError for an Error body with a status that the operation does not have, as behind a wrong
 *   base address
 * @throws UnexpectedResponseError for any other response
 */
export function classifyResponse<Name extends Operation>(
  request: OperationRequest<Name>,
  response: ReceivedResponse | PetStoreResponses[Name],
): PetStoreResponses[Name] {
  const received: ReceivedResponse = response;
  if (!isContractResponse(request.operation, response)) throw responseError(request, received);
  return response;
}

function describeProblem({ status, body }: ReceivedResponse): string {
  // In a browser, a redirect that is not followed has the status 0.
  if (status === 0 || (status >= 300 && status < 400 && status !== 304)) return 'is a redirect';
  if (body === undefined) return 'has no body';
  return body instanceof Error ? body.message : 'is not in the contract';
}

/**
 * Creates the error for a response: a ServiceError for an Error body, otherwise an UnexpectedResponseError. That
 * never quotes the body, which may contain a secret.
 *
 * @param problem what is wrong with the response, where that is known
 */
export function responseError(
  { operation, idempotencyKey }: Pick<OperationRequest<Operation>, 'operation' | 'idempotencyKey'>,
  response: ReceivedResponse,
  problem?: string,
): ServiceError | UnexpectedResponseError {
  const { status, headers, requestId, body } = response;
  const isError = problem === undefined && status >= 400 && isErrorBody(body);
  const code = isError ? body.code : 'unexpected_response';
  const details = {
    isRetryable: isRetryable(status, code),
    requestId,
    idempotencyKey,
    retryAfterMs: parseRetryAfter(headers),
  };
  if (isError) return new ServiceError(body.message, { ...details, code, status });
  const type = headers.get('content-type') ?? 'no content type';
  const what = problem ?? describeProblem(response);
  return new UnexpectedResponseError(`The response to ${operation} ${what} (status ${status}, ${type})`, {
    ...details,
    code: 'unexpected_response',
    status: status || undefined,
  });
}
