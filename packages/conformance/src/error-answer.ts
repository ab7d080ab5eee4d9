import { ErrorBody, type ErrorCode, isErrorCode, statusOf } from '@petstore/contract';
import { type Answer, expect, expectStatus, jsonOf } from './answer.ts';

/**
 * Holds an answer to what every error answer is: the status, and the Error body as application/json.
 *
 * @param codes the codes that fit; none given means any code of this status
 * @throws Nonconformity when something is amiss
 */
export function expectError(answer: Answer, status: number, ...codes: ErrorCode[]): ErrorBody {
  expectStatus(answer, status);
  const body = jsonOf(answer);
  const { data, error } = ErrorBody.safeParse(body);
  expect(answer, data !== undefined, `an Error body (${error?.issues.map(describeIssue).join('; ')})`);
  expect(answer, data.message.trim() !== '', 'a message that a person can read');
  expect(answer, data.status === answer.status, `status ${answer.status} in the Error body`);
  // A newer service may have codes that this release of the suite does not know.
  const fits = !isErrorCode(data.code) || statusOf(data.code) === status;
  expect(answer, fits, `a code of status ${status}`);
  expect(
    answer,
    codes.length === 0 || codes.some((code) => code === data.code),
    `the code ${codes.join(' or ')}`,
  );
  return data;
}

function describeIssue({ path, message }: { path: PropertyKey[]; message: string }): string {
  return `${path.join('.') || 'body'}: ${message}`;
}
