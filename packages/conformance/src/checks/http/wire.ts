import { type Check, checks, readOnlyChecks } from '../../check.ts';
import { expect, expectStatus, fail } from '../../http/response.ts';
import { requestText, sendRaw } from '../../http/send-raw.ts';
import { newPet, post } from '../../pets.ts';
import { urlOf } from '../../target.ts';

const close = { Connection: 'close' };

/** The status and the request id of each response. No JSON text has these line breaks. */
const RESPONSE = /HTTP\/1\.1 (\d{3})[^\r\n]*\r\n(?:[^\r\n]+\r\n)*?x-request-id: *(\S+)\r\n/gi;

/** Checks of what shows only on the wire: they open connections to the base URL themselves, beside `fetch`. */
export const wireChecks: readonly Check[] = [
  ...readOnlyChecks('RFC 9112 section 9.3.2', {
    'Pipelined requests get their responses in order': async (target) => {
      const ids = Array.from({ length: 4 }, () => crypto.randomUUID());
      const [slow = '', head = '', missing = '', last = ''] = ids;
      const response = await sendRaw(
        target,
        requestText(target, 'GET', '/pets?limit=100', { 'X-Request-Id': slow }) +
          requestText(target, 'HEAD', '/pets?limit=1', { 'X-Request-Id': head }) +
          requestText(target, 'GET', '/pets/abc', { 'X-Request-Id': missing }) +
          requestText(target, 'GET', '/pets?limit=0', { 'X-Request-Id': last, ...close }),
      );
      const expected = ['200', '200', '404', '400'].map((status, index) => `${status} for ${ids[index]}`);
      const actual = [...response.text.matchAll(RESPONSE)].map(([, status, id]) => `${status} for ${id}`);
      const isInOrder = actual.join() === expected.join();
      expect(response, isInOrder, 'the responses in the order of the requests', actual.join(', '));
    },
  }),
  ...readOnlyChecks('RFC 9112 section 3.2.2', {
    'A request target may be in absolute form': async (target) => {
      const request = requestText(target, 'GET', '/pets?limit=1', close);
      const absolute = `GET ${urlOf(target, '/pets?limit=1')} HTTP/1.1\r\n`;
      expectStatus(await sendRaw(target, request.replace(/^.*\r\n/, absolute)), 200);
    },
  }),
  ...readOnlyChecks('RFC 9110 section 9.3.2', {
    'A response to HEAD ends after its headers': async (target) => {
      for (const path of ['/pets?limit=1', '/pets?limit=0']) {
        const response = await sendRaw(target, requestText(target, 'HEAD', path, close));
        const [, ...rest] = response.text.split('\r\n\r\n');
        expect(response, rest.length === 1 && rest[0] === '', 'nothing after the headers');
      }
    },
  }),
  ...readOnlyChecks('decision: which check comes first', {
    'A request without a key returns 401 before its body has arrived': async (target) => {
      const headers = {
        Authorization: '',
        'Content-Type': 'application/json',
        'Content-Length': '64',
        ...close,
      };
      const response = await sendRaw(target, `${requestText(target, 'POST', '/pets', headers)}{"name":"`);
      expectStatus(response, 401);
    },
  }),
  ...checks('RFC 9110 section 5.5', {
    'An Idempotency-Key does not include the spaces and tabs around it': async (target) => {
      const key = crypto.randomUUID();
      const body = JSON.stringify(newPet({ name: 'Spaced' }));
      const first = expectStatus(await post(target, body, { 'Idempotency-Key': key }), 201);
      const headers = {
        'Content-Type': 'application/json',
        'Content-Length': `${body.length}`,
        'Idempotency-Key': `\t  ${key} \t `,
        ...close,
      };
      const again = expectStatus(
        await sendRaw(target, requestText(target, 'POST', '/pets', headers) + body),
        201,
      );
      if (!again.text.includes(first.text)) fail(again, 'the first response again', `, ${first.text}`);
    },
  }),
];
