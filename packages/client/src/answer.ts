import type { ErrorBody } from '@petstore/contract';
import type { Answers, Identified, Operation, Pet } from './contract.ts';
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
export function isError(body: unknown): body is ErrorBody {
  return (
    isObject(body) &&
    typeof body.code === 'string' &&
    typeof body.message === 'string' &&
    typeof body.status === 'number'
  );
}

const isBody: Record<BodyKind, (body: unknown) => boolean> = {
  pet: isPet,
  pets: (body) => Array.isArray(body) && body.every(isPet),
  error: isError,
  nothing: (body) => body === undefined,
};

function isPet(body: unknown): boolean {
  return isObject(body) && isInteger(body.id) && typeof body.name === 'string' && isInteger(body.categoryId);
}

type Members = Partial<Record<keyof ErrorBody | keyof Pet, unknown>>;

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

const isInteger = (value: unknown) => typeof value === 'bigint' || Number.isSafeInteger(value);
