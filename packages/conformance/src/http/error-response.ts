import { ErrorBody, type ErrorCode, isErrorCode, statusOf } from '@petstore/contract';
import { expect, expectStatus, jsonOf, type RawResponse } from './raw-response.ts';

/**
 * Holds a response to what every error response is: the status, and the Error body as application/json.
 *
 * @param codes the codes that are allowed; none given means any code of this status
 * @throws ConformanceError when the response is anything else
 */
export function expectError(response: RawResponse, status: number, ...codes: ErrorCode[]): ErrorBody {
  expectStatus(response, status);
  const body = jsonOf(response);
  const { data, error } = ErrorBody.safeParse(body);
  expect(response, data !== undefined, `an Error body (${error?.issues.map(describeIssue).join('; ')})`);
  expect(response, data.message.trim() !== '', 'a message that a person can read');
  expect(response, data.status === response.status, `status ${response.status} in the Error body`);
  // A newer service may have codes that this release of the suite does not know.
  const fits = !isErrorCode(data.code) || statusOf(data.code) === status;
  expect(response, fits, `a code of status ${status}`);
  const isAllowed = codes.length === 0 || codes.some((code) => code === data.code);
  expect(response, isAllowed, `the code ${codes.join(' or ')}`);
  return data;
}

function describeIssue({ path, message }: { path: PropertyKey[]; message: string }): string {
  return `${path.join('.') || 'body'}: ${message}`;
}
