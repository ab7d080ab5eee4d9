import { ErrorBody, type ErrorCode, errorCodes } from '@petstore/contract';
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
  expect(answer, errorCodes[data.code].status === status, `a code of status ${status}`);
  expect(answer, codes.length === 0 || codes.includes(data.code), `the code ${codes.join(' or ')}`);
  return data;
}

function describeIssue({ path, message }: { path: PropertyKey[]; message: string }): string {
  return `${path.join('.') || 'body'}: ${message}`;
}
