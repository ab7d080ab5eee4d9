import { ErrorBody, type ErrorCode } from '@petstore/contract';
import { parseJson } from '@petstore/contract/json';
import type * as z from 'zod';
import { ConformanceError, type Replay, shorten } from './conformance-error.ts';

/** A response with its unparsed text: a check must see faults that a client would hide. */
export interface RawResponse {
  request: string;
  url: string;
  status: number;
  headers: Headers;
  text: string;
  replay: Replay;
  /** Replaces the API keys, which a deployment may echo in any part of a response. */
  redact(text: string): string;
}

export function describe({ request, replay }: RawResponse): string {
  return `${request} returned ${replay.received}`;
}

/**
 * @param expected what should hold, in the same words for all failures of one cause
 * @param rest the end of the sentence, with values of this request
 * @throws ConformanceError
 */
export function fail(response: RawResponse, expected: string, rest = ''): never {
  const shown = (text: string) => shorten(response.redact(text));
  const finding = shown(`expected ${expected}`);
  const summary = `${finding}${shown(rest)}, but ${describe(response)}`;
  throw new ConformanceError(summary, finding, response.replay);
}

/**
 * @param expected what should hold, in the same words for all failures of one cause
 * @param actual what the response has instead
 * @throws ConformanceError unless the condition holds
 */
export function expect(
  response: RawResponse,
  condition: boolean,
  expected: string,
  actual?: unknown,
): asserts condition {
  if (!condition) fail(response, expected, actual === undefined ? '' : ` rather than ${actual}`);
}

/** Each wrong status is a finding of its own: 401 and 500 have different causes. @throws ConformanceError */
export function expectStatus(response: RawResponse, status: number): RawResponse {
  expect(response, response.status === status, `${status} rather than ${response.status}`);
  return response;
}

/** @param value `null` if the header must be absent @throws ConformanceError unless the header has this value */
export function expectHeader(response: RawResponse, name: string, value: string | null): void {
  const actual = response.headers.get(name);
  const show = (header: string | null) => (header === null ? `no ${name}` : `${name}: ${header}`);
  // HAProxy makes the tag of a response that it compresses weak, but not that of a 304 or of a response to HEAD.
  const onlyValueIsWeak = name === 'ETag' && value === `W/${actual}`;
  expect(response, actual === value || onlyValueIsWeak, show(value), show(actual));
}

/** @throws ConformanceError unless Retry-After is a positive number of seconds */
export function expectRetryAfter(response: RawResponse): void {
  const retryAfter = response.headers.get('retry-after') ?? 'none';
  expect(response, /^[1-9]\d*$/.test(retryAfter), 'Retry-After in seconds', retryAfter);
}

/** Parses the body without rounding. @throws ConformanceError unless it is application/json */
export function jsonOf(response: RawResponse): unknown {
  const type = response.headers.get('content-type') ?? 'none';
  expect(response, /^application\/json\s*(;|$)/i.test(type), 'Content-Type application/json', type);
  try {
    return parseJson(response.text);
  } catch {
    return fail(response, response.text.startsWith('\ufeff') ? 'JSON without a byte order mark' : 'JSON');
  }
}

/** Parses the JSON body of a response by a schema. @throws ConformanceError that names the invalid members */
export function bodyOf<Body>(response: RawResponse, schema: z.ZodType<Body>, expected: string): Body {
  const { data, error } = schema.safeParse(jsonOf(response));
  const issues = [...new Set(error?.issues.map(describeIssue))].join('; ');
  expect(response, data !== undefined, `${expected} (${issues})`);
  return data;
}

/** Leaves out indexes, so that a fault of all items of an array is described once. */
function describeIssue({ path, message }: { path: PropertyKey[]; message: string }): string {
  const names = path.filter((name) => typeof name === 'string');
  return [...names, message].join(': ');
}

/** @throws ConformanceError unless the response has an Error body with its status, as the interface document says */
export function expectErrorBody(response: RawResponse): ErrorBody {
  const body = bodyOf(response, ErrorBody, 'an Error body');
  expect(response, body.message.trim() !== '', 'a message that a person can read');
  expect(response, body.status === response.status, 'the HTTP status in the Error body', body.status);
  return body;
}

/**
 * @param codes the allowed codes; any code if there are none, because the interface document does not list the codes
 * @throws ConformanceError unless the response has the status, an Error body and an allowed code
 */
export function expectError(response: RawResponse, status: number, ...codes: ErrorCode[]): void {
  const { code } = expectErrorBody(expectStatus(response, status));
  const isAllowed = codes.length === 0 || codes.some((allowed) => allowed === code);
  expect(response, isAllowed, `the code ${codes.join(' or ')}`, code);
}
