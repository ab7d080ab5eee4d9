import { deprecationHeaders, type ErrorCode, REQUEST_ID } from '@petstore/contract';
import { findLink } from '@petstore/contract/link';
import { expect, expectHeader, type RawResponse } from '../../http/response.ts';
import { methodsOf, operationsAt } from '../../operations.ts';
import { sendSample } from '../../samples/sample.ts';
import { defineRule } from './rule.ts';

/** The forms of header values that no check can predict. */
export const headerForms: Record<string, RegExp> = {
  ETag: /^(?:W\/)?"[\x21\x23-\x7e]*"$/,
  'Retry-After': /^[1-9]\d*$/,
  'X-Request-Id': REQUEST_ID,
};

export const requiredHeaders = defineRule(
  'decision: response headers',
  '… has the headers that the contract requires',
  async (target, sample, operation) => {
    const response = await sendSample(target, sample);
    // The OpenAPI document describes only the responses of operations.
    for (const name of operation?.headersOf(sample.status) ?? ['X-Request-Id', 'Cache-Control']) {
      const value = response.headers.get(name);
      const fits = value !== null && (headerForms[name]?.test(value) ?? true);
      expect(response, fits, `a valid ${name}`, value ?? 'none');
    }
  },
);

export const cacheControl = defineRule(
  'decision: conditional requests',
  '… says whether a cache may store it',
  async (target, sample, operation) => {
    const response = await sendSample(target, sample);
    const header = response.headers.get('cache-control')?.toLowerCase() ?? 'none';
    const directives = header.split(/\s*,\s*/).toSorted();
    // A cache may store a response with an ETag.
    const mayBeStored = operation?.headersOf(sample.status).includes('ETag');
    const fits = mayBeStored ? directives.join() === 'no-cache,private' : directives.includes('no-store');
    expect(response, fits, `Cache-Control: ${mayBeStored ? 'private, no-cache' : 'no-store'}`, header);
  },
);

const challenges: Partial<Record<ErrorCode, string>> = {
  missing_api_key: 'Bearer realm="petstore"',
  invalid_api_key: 'Bearer realm="petstore", error="invalid_token"',
  insufficient_scope: 'Bearer realm="petstore", error="insufficient_scope", scope="write"',
};

export const challenge = defineRule(
  'decision: 401',
  '… has the challenge of its code, if any',
  async (target, sample) => {
    const [code] = sample.codes;
    const response = await sendSample(target, sample);
    expectHeader(response, 'WWW-Authenticate', (code && challenges[code]) ?? null);
  },
);

/** For responses 405. */
export const allow = defineRule(
  'decision: other failures',
  '… has the methods of the path in Allow',
  async (target, sample) => {
    const response = await sendSample(target, sample);
    const [operation] = operationsAt(new URL(response.url).pathname);
    const expected = methodsOf(operation?.template ?? '').join(', ');
    const methods = (response.headers.get('allow') ?? '').split(/\s*,\s*/).toSorted();
    // A deployment may respond to OPTIONS, for example for CORS.
    const actual = methods.filter((method) => method !== 'OPTIONS').join(', ');
    expect(response, actual === expected, `Allow: ${expected}`, actual);
  },
);

/** @param path what the path of the link ends with @default any path */
function expectLink(response: RawResponse, rel: string, path = ''): void {
  const link = findLink(response.headers.get('link'), rel);
  const fits = link !== undefined && URL.parse(link, response.url)?.pathname.endsWith(path) === true;
  expect(response, fits, `a Link with rel="${rel}"`);
}

export const deprecation = defineRule(
  'decision: deprecation; RFC 9745; RFC 8594',
  '… announces the deprecation of the operation, if any',
  async (target, sample, operation) => {
    const { deprecation } = operation ?? {};
    const response = await sendSample(target, sample);
    // Only Link contains these two URLs, and `expectLink` checks it.
    const announced = deprecation && deprecationHeaders(deprecation, { documentation: '', root: '' });
    expectHeader(response, 'Deprecation', announced?.Deprecation ?? null);
    expectHeader(response, 'Sunset', announced?.Sunset ?? null);
    if (deprecation === undefined) return;
    expectLink(response, 'deprecation');
    expectLink(response, 'successor-version', deprecation.successor);
  },
);

export const requestId = defineRule(
  'decision: request id',
  '… has an X-Request-Id of its own, or the valid one of the request',
  async (target, sample) => {
    const ids = new Set<string>();
    // The longest valid id, with each kind of valid character.
    const valid = `Valid_id.${crypto.randomUUID()}`.padEnd(128, 'x');
    for (const sent of ['', 'two words <b>', 'x'.repeat(129), valid]) {
      const response = await sendSample(target, sample, { headers: { 'X-Request-Id': sent } });
      const id = response.headers.get('x-request-id') ?? '';
      if (sent === valid) expect(response, id === sent, 'the X-Request-Id of the request', id);
      else expect(response, id !== sent && !ids.has(id), 'an X-Request-Id of its own', id);
      ids.add(id);
    }
  },
);
