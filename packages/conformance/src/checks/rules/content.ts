import { responseHeaders } from '@petstore/contract';
import { type Check, citesInterface } from '../../check.ts';
import { expectError, expectHeader, expectStatus, jsonOf } from '../../http/response.ts';
import { send } from '../../http/send.ts';
import type { Target } from '../../http/target.ts';
import { type Sample, sendSample } from '../../samples/sample.ts';
import { defineRule } from './rule.ts';

async function expectSample(target: Target, sample: Sample, codes: Sample['codes'], headers = {}) {
  const response = await sendSample(target, sample, { headers });
  if (sample.status >= 400) return expectError(response, sample.status, ...codes);
  expectStatus(response, sample.status);
  if (sample.status !== 304) (sample.expectBody ?? jsonOf)(response, sample.status);
}

/** Creates a check of each sample. Any code fits a sample from the interface document, which lists no codes. */
export const checksOf = (samples: readonly Sample[]): Check[] =>
  samples.map((sample) => {
    const { name, cites, readOnly, codes } = sample;
    const run: Check['run'] = (target) => expectSample(target, sample, citesInterface(sample) ? [] : codes);
    return { name, cites, readOnly, run };
  });

export const content = defineRule(
  'decision: values of code; decision: Accept',
  '… stays the same, whatever the request accepts',
  async (target, sample) => {
    for (const Accept of ['application/json', 'text/html, application/json;q=0']) {
      await expectSample(target, sample, sample.codes, { Accept });
    }
  },
);

/** The headers that GET and HEAD have in common. */
const headerNames = ['Content-Type', 'Allow', ...Object.keys(responseHeaders)];

export const head = defineRule(
  'decision: conditional requests (HEAD works); RFC 9110 section 9.3.2',
  '… has the same headers for HEAD',
  async (target, { prepare, status }) => {
    const { path, ...options } = await prepare(target);
    const get = await send(target, 'GET', path, options);
    const head = expectStatus(await send(target, 'HEAD', path, options), status);
    for (const name of headerNames) {
      // The values of these two differ between any two responses.
      if (['X-Request-Id', 'RateLimit'].includes(name) && head.headers.has(name)) continue;
      expectHeader(head, name, get.headers.get(name));
    }
    // A HEAD may leave out headers that are known only once the body is generated (RFC 9110, section 9.3.2).
    const length = get.headers.get('content-length');
    if (length !== null && head.headers.has('content-length')) expectHeader(head, 'Content-Length', length);
  },
);
