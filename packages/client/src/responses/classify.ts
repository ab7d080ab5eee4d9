import { type ErrorBody, type Operation, prefix } from '../contract.ts';
import { ServiceError, UnexpectedResponseError } from '../errors.ts';
import type { OperationRequest } from '../requests/build-request.ts';
import { acceptResponse, isErrorBody, type PetStoreResponses, type ReceivedResponse } from './response.ts';
import { isRetryable, parseRetryAfter } from './retryable.ts';

/**
 * Returns the response if the contract has it for the operation.
 * @throws ServiceError for an Error body with a status that the operation does not have, such as the 404 of a wrong
 *   base URL
 * @throws UnexpectedResponseError for any other response
 */
export function classifyResponse<Name extends Operation>(
  request: OperationRequest<Name>,
  response: ReceivedResponse,
): PetStoreResponses[Name] {
  if (!acceptResponse(request.operation, response)) throw responseError(request, response);
  return response;
}

function describeProblem({ status, body }: ReceivedResponse): string {
  // In browsers, a redirect that is not followed has the status 0.
  if (status === 0 || (status >= 300 && status < 400 && status !== 304)) return 'is a redirect';
  if (body === undefined) return 'has no body';
  // The Error of a body that is no JSON. Its message is the end of the sentence.
  return body instanceof Error ? body.message : 'is not in the contract';
}

/** A newer client may call a path that an older service lacks, so a base URL with the prefix is not questioned. */
function describeMissingPath({ message }: ErrorBody, url: string): string {
  const question = url.includes(`${prefix}/`) ? '' : `: does baseUrl end in ${prefix}?`;
  return `${message.replace(/\.$/, '')} (${url})${question}`;
}

/**
 * Creates a ServiceError for an Error body and an UnexpectedResponseError for any other response.
 * @param request from `paginate` only the operation
 * @param problem the end of the sentence "The response to listPets …", for a response that no Error body explains
 */
export function responseError(
  { operation, url = '', idempotencyKey }: Partial<OperationRequest<Operation>>,
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
  if (isError) {
    const message = code === 'path_not_found' ? describeMissingPath(body, url) : body.message;
    return new ServiceError(`${operation}: ${status} ${code}: ${message}`, { ...details, code, status });
  }
  const type = headers.get('content-type') ?? 'no content type';
  const sentence = `The response to ${operation} ${problem ?? describeProblem(response)}`;
  return new UnexpectedResponseError(`${sentence} (status ${status}, ${type})`, {
    ...details,
    code: 'unexpected_response',
    status: status || undefined,
  });
}
