import { deprecationHeaders, type ErrorCode } from '@petstore/contract';
import { findLink } from '@petstore/contract/link';
import type { Citation } from '../../check.ts';
import { expect, expectHeader, type RawResponse } from '../../http/response.ts';
import { methodsOf, type Operation } from '../../operations.ts';
import { type Sample, sendSample } from '../../samples/sample.ts';
import { rule } from './rule.ts';

type ExpectHeaders = (response: RawResponse, sample: Sample, operation?: Operation) => void;

const headerRule = (cites: Citation, sentence: string, expectHeaders: ExpectHeaders) =>
  rule(cites, sentence, async (target, sample, operation) =>
    expectHeaders(await sendSample(target, sample), sample, operation),
  );

/** The form of headers of which no other check knows the value. */
const forms: Record<string, RegExp> = {
  ETag: /^(?:W\/)?"[\x21\x23-\x7e]*"$/,
  'Retry-After': /^[1-9]\d*$/,
  'X-Request-Id': /^[\w.-]{1,128}$/,
};

export const requiredHeaders = headerRule(
  'decision: response headers',
  '… has the headers that the contract requires',
  (response, { status }, operation) => {
    for (const name of operation?.headersOf(status) ?? ['X-Request-Id', 'Cache-Control']) {
      const value = response.headers.get(name) ?? 'none';
      expect(
        response,
        response.headers.has(name) && (forms[name] ?? /^/).test(value),
        `a valid ${name}`,
        value,
      );
    }
  },
);

export const cacheControl = headerRule(
  'decision: conditional requests',
  '… says whether a cache may store it',
  (response, { status }, operation) => {
    const header = response.headers.get('cache-control')?.toLowerCase() ?? 'none';
    const directives = header.split(/\s*,\s*/).toSorted();
    const isStored = operation?.headersOf(status).includes('ETag');
    const fits = isStored ? directives.join() === 'no-cache,private' : directives.includes('no-store');
    expect(response, fits, `Cache-Control: ${isStored ? 'private, no-cache' : 'no-store'}`, header);
  },
);

const challenges: Partial<Record<ErrorCode, string>> = {
  missing_api_key: 'Bearer realm="petstore"',
  invalid_api_key: 'Bearer realm="petstore", error="invalid_token"',
  insufficient_scope: 'Bearer realm="petstore", error="insufficient_scope", scope="write"',
};

export const challenge = headerRule(
  'decision: 401',
  '… has the challenge of its code, if any',
  (response, { codes }) =>
    expectHeader(response, 'WWW-Authenticate', (codes[0] && challenges[codes[0]]) ?? null),
);

export const allow = headerRule(
  'decision: other failures',
  '… has the methods of the path in Allow',
  (response) => {
    const methods = methodsOf(new URL(response.url).pathname).join(', ');
    const header = (response.headers.get('allow') ?? '')
      .split(/\s*,\s*/)
      .toSorted()
      .join(', ');
    expect(response, header.replace(/OPTIONS, |, OPTIONS/, '') === methods, `Allow: ${methods}`, header);
  },
);

function expectLink(response: RawResponse, rel: string, path = ''): void {
  const link = findLink(response.headers.get('link'), rel);
  const fits = link !== undefined && new URL(link, response.url).pathname.endsWith(path);
  expect(response, fits, `a Link with rel="${rel}"`);
}

export const deprecation = headerRule(
  'decision: deprecation; RFC 9745; RFC 8594',
  '… announces the deprecation of the operation, if any',
  (response, _sample, operation) => {
    const { deprecation } = operation ?? {};
    const announced = deprecation && deprecationHeaders(deprecation, { documentation: '', root: '' });
    expectHeader(response, 'Deprecation', announced?.Deprecation ?? null);
    expectHeader(response, 'Sunset', announced?.Sunset ?? null);
    if (deprecation === undefined) return;
    expectLink(response, 'deprecation');
    expectLink(response, 'successor-version', deprecation.successor);
  },
);

export const requestId = rule(
  'decision: request id',
  '… has an X-Request-Id of its own, or the valid one of the request',
  async (target, sample) => {
    const ids = new Set<string>();
    const sendId = async (sent: string) => {
      const response = await sendSample(target, sample, { headers: { 'X-Request-Id': sent } });
      const id = response.headers.get('x-request-id') ?? '';
      return { response, id };
    };
    for (const sent of ['', 'two words <b>', 'x'.repeat(1_000)]) {
      const { response, id } = await sendId(sent);
      expect(response, id !== sent && !ids.has(id), 'an X-Request-Id of its own', id);
      ids.add(id);
    }
    const sent = crypto.randomUUID();
    const { response, id } = await sendId(sent);
    expect(response, id === sent, 'the X-Request-Id of the request', id);
  },
);
