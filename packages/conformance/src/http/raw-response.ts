import { parseJson } from '@petstore/contract/json';
import { assert, ConformanceError } from '../conformance-error.ts';

/** A response with its text as it came, since a check must see what a client would hide. */
export interface RawResponse {
  /** Method and path, for messages. */
  request: string;
  url: string;
  status: number;
  headers: Headers;
  text: string;
}

/** One line that shows request and response, with the first 200 characters of the body. */
export function describe({ request, status, text }: RawResponse): string {
  const beginning = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return `${request} returned ${status} ${beginning === '' ? 'without a body' : beginning}`;
}

/** @throws ConformanceError unless the condition holds; the message says what was expected and what came */
export function expect(response: RawResponse, condition: boolean, expected: string): asserts condition {
  assert(condition, `expected ${expected}, but ${describe(response)}`);
}

/** @throws ConformanceError unless the response has one of the statuses */
export function expectStatus(response: RawResponse, ...statuses: number[]): void {
  expect(response, statuses.includes(response.status), statuses.join(' or '));
}

/** @throws ConformanceError unless the header has exactly this value; `null` means absent */
export function expectHeader(response: RawResponse, name: string, value: string | null): void {
  const actual = response.headers.get(name);
  const show = (header: string | null) => (header === null ? `no ${name}` : `${name}: ${header}`);
  expect(response, actual === value, `${show(value)} rather than ${show(actual)}`);
}

/**
 * Parses the body of a response with media type application/json, without rounding.
 *
 * @throws ConformanceError when it is something else
 */
export function jsonOf(response: RawResponse): unknown {
  const type = response.headers.get('content-type') ?? 'none';
  expect(
    response,
    /^application\/json\s*(;|$)/i.test(type),
    `Content-Type application/json rather than ${type}`,
  );
  try {
    return parseJson(response.text);
  } catch (cause) {
    throw new ConformanceError(`expected JSON, but ${describe(response)}`, { cause });
  }
}
