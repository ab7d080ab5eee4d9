import { isError } from './answer.ts';
import type { Call } from './calls.ts';
import type { Answer, Answers, Identified, Operation, Pet } from './contract.ts';
import { serviceError, unexpectedAnswer } from './judge.ts';

/** What each operation is called for: the body of its success. */
export interface Bodies {
  listPets: Pet[];
  createPet: Pet;
  getPet: Pet;
}

/** The answer to an operation that did what it was called for. */
export interface Success<Name extends Operation> extends Identified {
  status: Successful<Answers[Name]['status']>;
  headers: Headers;
  body: Bodies[Name];
}

type Successful<Status extends number> = Status extends number
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
