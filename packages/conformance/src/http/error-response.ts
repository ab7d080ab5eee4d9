import { ErrorBody, type ErrorCode } from '@petstore/contract';
import { bodyOf, expect, expectStatus, type RawResponse } from './raw-response.ts';

/**
 * Holds an error response to the interface document: an Error body as application/json, which repeats the status.
 *
 * @throws ConformanceError when the response is anything else
 */
export function expectErrorBody(response: RawResponse): ErrorBody {
  const body = bodyOf(response, ErrorBody, 'an Error body');
  expect(response, body.message.trim() !== '', 'a message that a person can read');
  expect(response, body.status === response.status, 'the HTTP status in the Error body', body.status);
  return body;
}

/**
 * Holds a response to what every error response is: the status, and the Error body.
 *
 * @param codes the codes of our table that are allowed; none for a check that cites the interface document, which
 *   does not show the values of `code`
 * @throws ConformanceError when the response is anything else
 */
export function expectError(response: RawResponse, status: number, ...codes: ErrorCode[]): void {
  expectStatus(response, status);
  const { code } = expectErrorBody(response);
  const isAllowed = codes.length === 0 || codes.some((allowed) => allowed === code);
  expect(response, isAllowed, `the code ${codes.join(' or ')}`, code);
}
