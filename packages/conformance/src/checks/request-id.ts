import { expect, expectHeader } from '../answer.ts';
import type { Check } from '../check.ts';
import { send } from '../send.ts';

export const requestId: Check[] = [
  {
    name: 'Every answer carries an X-Request-Id of its own',
    cites: 'decision: request id',
    readOnly: true,
    run: async (target) => {
      const ids = new Set<string>();
      for (const path of ['/pets', '/pets', '/pets?limit=0', '/pets/abc', '/no-such-path']) {
        const answer = await send(target, 'GET', path);
        const id = answer.headers.get('x-request-id') ?? '';
        expect(answer, id !== '', 'an X-Request-Id');
        expect(answer, !ids.has(id), `an X-Request-Id of its own rather than ${id} again`);
        ids.add(id);
      }
      const refused = await send(target, 'GET', '/pets', { authorization: null });
      expect(refused, refused.headers.has('x-request-id'), 'an X-Request-Id also without a key');
    },
  },
  {
    name: 'A well-formed X-Request-Id of the caller is taken over',
    cites: 'decision: request id',
    readOnly: true,
    run: async (target) => {
      const id = crypto.randomUUID();
      for (const path of ['/pets', '/no-such-path']) {
        expectHeader(
          await send(target, 'GET', path, { headers: { 'X-Request-Id': id } }),
          'X-Request-Id',
          id,
        );
      }
    },
  },
  {
    name: 'An X-Request-Id that is not well-formed is replaced',
    cites: 'decision: request id',
    readOnly: true,
    run: async (target) => {
      for (const id of ['two words <b>', 'x'.repeat(1_000)]) {
        const answer = await send(target, 'GET', '/pets', { headers: { 'X-Request-Id': id } });
        const given = answer.headers.get('x-request-id') ?? '';
        expect(answer, given !== '' && given !== id, 'an X-Request-Id of the service’s making');
      }
    },
  },
];
