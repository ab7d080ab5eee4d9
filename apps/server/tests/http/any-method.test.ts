import { v2 } from '@petstore/test-support/second-version';
import { fetchWithKey } from '@petstore/test-support/servers/fetch-with-key';
import { createExpressEndpoints, initServer } from '@ts-rest/express';
import { expect, test } from 'vitest';
import { useApp } from '#support/app';
import { readJsonBody } from '../../src/http/middleware/read-json-body.ts';
import { Urls } from '../../src/http/urls.ts';
import { createKey } from '../../src/keys/manage.ts';
import { endpointOptions, type ServedVersion, servedVersion1 } from '../../src/service/versions.ts';

const handlers = initServer().router(v2.contract, {
  orders: {
    getOrder: async () => ({ status: 200, body: { id: 1, note: 'read' } }),
    replaceOrder: { middleware: [readJsonBody], handler: async ({ body }) => ({ status: 200, body }) },
    cancelOrder: async () => ({ status: 204, body: undefined }),
    placeOrder: { middleware: [readJsonBody], handler: async ({ body }) => ({ status: 201, body }) },
  },
});
const servedVersion2: ServedVersion = {
  version: v2,
  addEndpoints: (router, _parts, steps) =>
    createExpressEndpoints(v2.contract, handlers, router, endpointOptions(v2, new Urls(v2.prefix), steps)),
};

const app = await useApp({}, { versions: [servedVersion1, servedVersion2] });

const send = (method: string, body?: string) =>
  fetchWithKey(app.origin, app.apiKey)('/v2/orders/1', { method, ...(body && { body }) });

test('PUT, GET and DELETE of one path call their own handlers', async () => {
  const order = '{"id":9223372036854775807,"note":"a"}';
  expect(await (await send('PUT', order)).text()).toBe(order);
  expect(await (await send('GET')).json()).toEqual({ id: 1, note: 'read' });

  const removed = await send('DELETE');

  expect([removed.status, await removed.text()]).toEqual([204, '']);
  expect(removed.headers.has('content-type')).toBe(false);
  expect(removed.headers.get('cache-control')).toBe('no-store');
});

test('PUT validates its body, DELETE needs its scope, and an unsupported method gets 405', async () => {
  expect(await (await send('PUT', '{"id":1}')).json()).toMatchObject({ status: 400, code: 'invalid_body' });
  const refused = await send('POST', '{}');
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, PUT, DELETE']);
  const readKey = await createKey(app.service.database.db, 'reader', { scope: 'read' });
  const cancelled = await fetchWithKey(app.origin, readKey)('/v2/orders/1', { method: 'DELETE' });
  expect(await cancelled.json()).toMatchObject({ status: 403, code: 'insufficient_scope' });
});
