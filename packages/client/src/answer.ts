import type { Answers, ErrorBody, Identified, Operation, Pet } from './contract.ts';
import { membersOf, namesOf } from './members.ts';
import { type BodyKind, routes } from './routes.ts';

/** An answer before anyone looked whether it is the contract's. */
export interface Received extends Identified {
  status: number;
  headers: Headers;
  /** The parsed JSON, `undefined` when there was no body, or `NOT_JSON`. */
  body: unknown;
}

/** Stands for a body that is no JSON. */
export const NOT_JSON = Symbol('not JSON');

/** Whether this is one of the answers that the contract has for the operation. */
export function isAnswer<Name extends Operation>(
  operation: Name,
  received: Received,
): received is Received & Answers[Name] {
  const kinds: Partial<Record<number, BodyKind>> = routes[operation].answers;
  const kind = kinds[received.status];
  return kind !== undefined && isBody[kind](received.body);
}

/** Whether this is the Error body. Its code is not looked up: a newer service may have more of them. */
export const isError = hasMembers<ErrorBody>({ code: isText, message: isText, status: Number.isInteger });

/** Whether this is an animal. Its status is not looked up either. */
const isPet = hasMembers<Pet>({
  id: isInteger,
  name: isText,
  categoryId: isInteger,
  status: (value) => value === undefined || isText(value),
});

const isBody: Record<BodyKind, (body: unknown) => boolean> = {
  pet: isPet,
  pets: (body) => Array.isArray(body) && body.every(isPet),
  error: isError,
  nothing: (body) => body === undefined,
};

/** A member that the contract adds does not compile until it is looked at here. */
function hasMembers<Body>(members: Record<keyof Body, (value: unknown) => boolean>) {
  const names = namesOf(members);
  return (body: unknown): body is Body => {
    const given = membersOf(body);
    return names.every((name) => members[name](given[name]));
  };
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isInteger(value: unknown): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}
