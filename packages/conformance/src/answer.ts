import { parseJson } from '@petstore/contract/json';
import { assert, Nonconformity } from './nonconformity.ts';

/** What came back: the raw text, since a check must see what a client would hide. */
export interface Answer {
  /** Method and path, for messages. */
  request: string;
  url: string;
  status: number;
  headers: Headers;
  text: string;
}

/** One line that shows what was asked and what came, with the first 200 characters of the body. */
export function describe({ request, status, text }: Answer): string {
  const beginning = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return `${request} answered ${status} ${beginning === '' ? 'without a body' : beginning}`;
}

/** @throws Nonconformity unless the condition holds; the message names what was expected and what came. */
export function expect(answer: Answer, condition: boolean, expected: string): asserts condition {
  assert(condition, `expected ${expected}, but ${describe(answer)}`);
}

/** @throws Nonconformity unless the answer has one of the statuses. */
export function expectStatus(answer: Answer, ...statuses: number[]): void {
  expect(answer, statuses.includes(answer.status), statuses.join(' or '));
}

/** @throws Nonconformity unless the header field has exactly this value; `null` means absent. */
export function expectHeader(answer: Answer, name: string, value: string | null): void {
  const actual = answer.headers.get(name);
  const show = (field: string | null) => (field === null ? `no ${name}` : `${name}: ${field}`);
  expect(answer, actual === value, `${show(value)} rather than ${show(actual)}`);
}

/**
 * The body of an answer with media type application/json, without rounding.
 *
 * @throws Nonconformity when it is something else
 */
export function jsonOf(answer: Answer): unknown {
  const type = answer.headers.get('content-type') ?? 'none';
  expect(
    answer,
    /^application\/json\s*(;|$)/i.test(type),
    `Content-Type application/json rather than ${type}`,
  );
  try {
    return parseJson(answer.text);
  } catch (cause) {
    throw new Nonconformity(`expected JSON, but ${describe(answer)}`, { cause });
  }
}
