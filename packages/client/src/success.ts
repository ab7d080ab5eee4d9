import { isError } from './answer.ts';
import type { Call } from './calls.ts';
import type { Answer, Answers, Identified, Operation } from './contract.ts';
import { serviceError, unexpectedAnswer } from './judge.ts';

/** The answer to an operation that did what it was called for. */
export interface Success<Name extends Operation> extends Identified {
  status: Successful<Name>['status'];
  headers: Headers;
  body: Bodies[Name];
}

/** What each operation is called for: the body of its success. */
export type Bodies = { [Name in Operation]: Successful<Name>['body'] };

type Successful<Name extends Operation> = Extract<Answers[Name], { status: SuccessStatus }>;

type SuccessStatus<Status = Answers[Operation]['status']> = Status extends number
  ? `${Status}` extends `2${string}`
    ? Status
    : never
  : never;

/** The answer, when it is a success. @throws PetStoreError otherwise */
export function expectSuccess<Name extends Operation>(call: Call<Name>, answer: Answer<Name>): Success<Name> {
  if (isSuccess(answer)) return answer;
  throw isError(answer.body)
    ? serviceError(call, answer, answer.body)
    : unexpectedAnswer(call, answer, 'has no body');
}

function isSuccess<Name extends Operation>(answer: Answer<Name>): answer is Answer<Name> & Success<Name> {
  return answer.status < 300;
}
