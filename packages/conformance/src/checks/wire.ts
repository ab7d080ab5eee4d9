import { newPet, post } from '../animals.ts';
import { expectStatus } from '../answer.ts';
import type { Check } from '../check.ts';
import { exchange, requestText } from '../exchange.ts';
import { assert } from '../nonconformity.ts';
import { address } from '../target.ts';

const close = { Connection: 'close' };

/** The status line and the request id of each answer. No JSON text has the line breaks that are asked for. */
const ANSWER = /HTTP\/1\.1 (\d{3})[^\r\n]*\r\n(?:[^\r\n]+\r\n)*?x-request-id: *(\S+)\r\n/gi;

/** What only shows on the wire: these checks open connections to the base address, beside `fetch`. */
export const wireChecks: readonly Check[] = [
  {
    name: 'Requests that come before the answers to those before them are answered in their order',
    cites: 'RFC 9112 section 9.3.2',
    readOnly: true,
    run: async (target) => {
      const ids = Array.from({ length: 4 }, () => crypto.randomUUID());
      const [slow = '', head = '', missing = '', last = ''] = ids;
      const answer = await exchange(
        target,
        requestText(target, 'GET', '/pets?limit=100', { 'X-Request-Id': slow }) +
          requestText(target, 'HEAD', '/pets?limit=1', { 'X-Request-Id': head }) +
          requestText(target, 'GET', '/pets/abc', { 'X-Request-Id': missing }) +
          requestText(target, 'GET', '/pets?limit=0', { 'X-Request-Id': last, ...close }),
      );
      const expected = ['200', '200', '404', '400'].map((status, index) => `${status} for ${ids[index]}`);
      const actual = [...answer.matchAll(ANSWER)].map(([, status, id]) => `${status} for ${id}`);
      assert(
        actual.join() === expected.join(),
        `expected ${expected.join(', ')}, but it was ${actual.join(', ') || 'no answer'}`,
      );
    },
  },
  {
    name: 'A request target in absolute form is understood',
    cites: 'RFC 9112 section 3.2.2',
    readOnly: true,
    run: async (target) => {
      const request = requestText(target, 'GET', '/pets?limit=1', close);
      const absolute = `GET ${address(target, '/pets?limit=1')} HTTP/1.1\r\n`;
      const answer = await exchange(target, request.replace(/^.*\r\n/, absolute));
      assert(answer.startsWith('HTTP/1.1 200 '), `expected 200, but it was ${firstLine(answer)}`);
    },
  },
  {
    name: 'An answer to HEAD ends with its header fields',
    cites: 'RFC 9110 section 9.3.2',
    readOnly: true,
    run: async (target) => {
      for (const path of ['/pets?limit=1', '/pets?limit=0']) {
        const answer = await exchange(target, requestText(target, 'HEAD', path, close));
        const [, ...rest] = answer.split('\r\n\r\n');
        assert(rest.join('') === '' && rest.length === 1, `expected no body, but it was ${rest.join('')}`);
      }
    },
  },
  {
    name: 'Spaces and tabs around an Idempotency-Key do not belong to it',
    cites: 'RFC 9110 section 5.5',
    readOnly: false,
    run: async (target) => {
      const key = crypto.randomUUID();
      const body = JSON.stringify(newPet({ name: 'Spaced' }));
      const first = await post(target, body, { 'Idempotency-Key': key });
      expectStatus(first, 201);
      const fields = {
        'Content-Type': 'application/json',
        'Content-Length': `${body.length}`,
        'Idempotency-Key': `\t  ${key} \t `,
        ...close,
      };
      const again = await exchange(target, requestText(target, 'POST', '/pets', fields) + body);
      assert(
        again.startsWith('HTTP/1.1 201 ') && again.includes(first.text),
        `expected the first answer again, ${first.text}, but it was ${firstLine(again)}`,
      );
    },
  },
];

const firstLine = (answer: string) => answer.split('\r\n')[0] || 'no answer';
