import { v2 } from '@petstore/test-support/second-version';
import { fetchWithKey } from '@petstore/test-support/servers/fetch-with-key';
import { createExpressEndpoints, initServer } from '@ts-rest/express';
import { expect, test } from 'vitest';
import { startApp } from '#support/app';
import { readJsonBody } from '../../src/http/middleware/read-json-body.ts';
import { Urls } from '../../src/http/urls.ts';
import { endpointOptions, type ServedVersion } from '../../src/service/versions.ts';

const handlers = initServer().router(v2.contract, {
  orders: {
    getOrder: async () => ({ status: 200, body: { id: 1, note: 'read' } }),
    replaceOrder: { middleware: [readJsonBody], handler: async ({ body }) => ({ status: 200, body }) },
    cancelOrder: async () => ({ status: 204, body: undefined }),
  },
});
const servedVersion2: ServedVersion = {
  version: v2,
  addEndpoints: (router, _parts, middleware) => {
    const options = endpointOptions(v2, new Urls(v2.prefix), middleware);
    createExpressEndpoints(v2.contract, handlers, router, options);
  },
};

test('PUT, GET and DELETE of one path have their own handlers, PUT keeps the int64 of a body exact, and a 204 has `Cache-Control: no-store`, but no body and no Content-Type', async () => {
  await using app = await startApp({}, { versions: [servedVersion2] });
  const send = (init: RequestInit) => fetchWithKey(app.origin, app.apiKey)('/v2/orders/1', init);
  // Compared as text, because JSON.parse would round the id.
  const order = '{"id":9223372036854775807,"note":"a"}';
  expect(await (await send({ method: 'PUT', body: order })).text()).toBe(order);
  expect(await (await send({})).json()).toEqual({ id: 1, note: 'read' });
  const cancelled = await send({ method: 'DELETE' });
  expect([cancelled.status, await cancelled.text()]).toEqual([204, '']);
  expect(cancelled.headers.has('content-type')).toBe(false);
  expect(cancelled.headers.get('cache-control')).toBe('no-store');
});
