import type { Check } from '../../check.ts';
import { expect } from '../../http/raw-response.ts';
import { send } from '../../http/send.ts';

export const requestId: Check[] = [
  {
    name: 'Every response has an X-Request-Id of its own',
    cites: 'decision: request id',
    readOnly: true,
    run: async (target) => {
      const ids = new Set<string>();
      for (const path of ['/pets', '/pets', '/pets?limit=0', '/pets/abc', '/no-such-path']) {
        const response = await send(target, 'GET', path);
        const id = response.headers.get('x-request-id') ?? '';
        expect(response, id !== '', 'an X-Request-Id');
        expect(response, !ids.has(id), 'an X-Request-Id of its own', `${id} again`);
        ids.add(id);
      }
      const refused = await send(target, 'GET', '/pets', { authorization: null });
      expect(refused, refused.headers.has('x-request-id'), 'an X-Request-Id also without a key');
    },
  },
  {
    name: 'The service keeps a well-formed X-Request-Id of the request',
    cites: 'decision: request id',
    readOnly: true,
    run: async (target) => {
      const id = crypto.randomUUID();
      for (const path of ['/pets', '/no-such-path']) {
        const response = await send(target, 'GET', path, { headers: { 'X-Request-Id': id } });
        const given = response.headers.get('x-request-id');
        expect(response, given === id, 'the X-Request-Id of the request', given);
      }
    },
  },
  {
    name: 'The service replaces an X-Request-Id that is not well-formed',
    cites: 'decision: request id',
    readOnly: true,
    run: async (target) => {
      for (const id of ['two words <b>', 'x'.repeat(1_000)]) {
        const response = await send(target, 'GET', '/pets', { headers: { 'X-Request-Id': id } });
        const given = response.headers.get('x-request-id') ?? '';
        expect(response, given !== '' && given !== id, 'an X-Request-Id of the service’s making');
      }
    },
  },
];
