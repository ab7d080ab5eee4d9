import type { ErrorBody, Operation } from '../contract.ts';
import { ServiceError, UnexpectedResponseError } from '../errors/index.ts';
import type { Validate } from '../options.ts';
import type { OperationRequest } from '../requests/request-builders.ts';
import { isContractResponse, isErrorBody, type PetStoreResponse, type ReceivedResponse } from './response.ts';
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
  response: ReceivedResponse,
  validate: Validate | undefined,
): PetStoreResponse<Name> {
  if (isContractResponse(request.operation, response)) {
    try {
      validate?.(request.operation, response);
    } catch (cause) {
      throw unexpectedResponse(request, response, "does not match the contract's schema", cause);
    }
    return response;
  }
  const { status, body } = response;
  if (status >= 400 && isErrorBody(body)) throw serviceError(request, response, body);
  throw unexpectedResponse(request, response, describeProblem(response));
}

function describeProblem({ status, body }: ReceivedResponse): string {
  // In a browser, a redirect that is not followed has the status 0.
  if (status === 0 || (status >= 300 && status < 400)) return 'is a redirect, which is not followed';
  if (body === undefined) return 'has no body';
  return body instanceof Error ? body.message : 'is not one of the contract';
}

type RequestSummary = Pick<OperationRequest<Operation>, 'operation' | 'content'>;
type ResponseHead = Pick<ReceivedResponse, 'status' | 'headers' | 'requestId'>;

/** Creates the error for an Error body. */
export function serviceError(
  request: RequestSummary,
  response: ResponseHead,
  { code, message }: ErrorBody,
): ServiceError {
  return new ServiceError(message, { ...detailsOf(request, response, code), status: response.status });
}

/** Creates the error for a response outside the contract. It never quotes the body, which may contain a secret. */
export function unexpectedResponse(
  request: RequestSummary,
  response: ResponseHead,
  problem: string,
  cause?: unknown,
): UnexpectedResponseError {
  const { status, headers } = response;
  const type = headers.get('content-type') ?? 'no content type';
  const message = `The response to ${request.operation} ${problem} (status ${status}, ${type})`;
  return new UnexpectedResponseError(message, {
    ...detailsOf(request, response, 'unexpected_response'),
    status: status || undefined,
    cause,
  });
}

const detailsOf = <Code extends string>(
  { content }: RequestSummary,
  { status, headers, requestId }: ResponseHead,
  code: Code,
) => ({
  code,
  isRetryable: isRetryable(status, code),
  requestId,
  idempotencyKey: content?.idempotencyKey,
  retryAfterMs: parseRetryAfter(headers),
});
