import type * as z from 'zod/mini';
import { HttpError } from '../http/responses/http-error.ts';

/** The parts of a request that a contract has schemas for. */
export type Part = 'params' | 'headers' | 'query' | 'body';

type Issues = readonly z.core.$ZodIssue[];

/**
 * The error of a request of which the contract's schema refuses a part: 404 for a path that names no pet (the interface
 * gives getPet no 400), 400 otherwise.
 */
export function validationError(part: Part, issues: Issues): HttpError {
  switch (part) {
    case 'params':
      return new HttpError('pet_not_found', 'No pet has this id: it is not an int64 in canonical notation.');
    case 'headers':
      return new HttpError('invalid_idempotency_key', describe('The header', issues));
    case 'query':
      return new HttpError('invalid_parameter', describe('The query', issues));
    case 'body':
      return new HttpError('invalid_body', describe('The body', issues));
  }
}

function describe(subject: string, issues: Issues): string {
  const sentences = issues.map(({ path, message }) => `${path.map(String).join('.') || subject} ${message}`);
  return `${sentences.join('; ')}.`;
}

/** Classifies what the router throws: it cannot decode a path parameter such as %ZZ, which names no pet. */
export const classifyRouterError = (thrown: unknown): HttpError | undefined =>
  thrown instanceof URIError ? new HttpError('pet_not_found') : undefined;
