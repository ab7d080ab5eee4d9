import { commonResponses, Int64, type RouteMetadata, type Version } from '@petstore/contract';
import { initContract } from '@ts-rest/core';
import { createExpressEndpoints, initServer } from '@ts-rest/express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { type RunningApp, startApp } from '#support/app';
import { endpointOptions, type ServedVersion, servedVersion1 } from '../../src/v1/endpoints.ts';
import { Urls } from '../../src/v1/urls.ts';

const c = initContract();
const Order = z.object({ id: Int64, note: z.string() });
const readMetadata = { scope: 'read', errorCodes: [], responseHeaders: {} } as const satisfies RouteMetadata;
const metadata = { scope: 'write', errorCodes: [], responseHeaders: {} } as const satisfies RouteMetadata;
const pathParams = z.object({ id: z.string() });
const path = '/orders/:id';
const orders = c.router({
  getOrder: {
    method: 'GET',
    path,
    pathParams,
    responses: { 200: Order },
    metadata: readMetadata,
  },
  putOrder: { method: 'PUT', path, pathParams, body: Order, responses: { 200: Order }, metadata },
  removeOrder: {
    method: 'DELETE',
    path,
    pathParams,
    body: c.noBody(),
    responses: { 204: c.noBody() },
    metadata,
  },
});
const contract = c.router({ orders }, { pathPrefix: '/v3', strictStatusCodes: true, commonResponses });
const version: Version = { prefix: '/v3', contract, tags: { orders: 'The orders' } };

let stored: z.output<typeof Order> | undefined;
const handlers = initServer().router(contract, {
  orders: {
    getOrder: async () => ({ status: 200, body: stored ?? { id: 0, note: 'none' } }),
    async putOrder({ body }) {
      stored = body;
      return { status: 200, body };
    },
    async removeOrder() {
      stored = undefined;
      return { status: 204, body: undefined };
    },
  },
});
const servedVersion: ServedVersion = {
  version,
  addEndpoints: (app, _parts, steps) =>
    createExpressEndpoints(contract, handlers, app, endpointOptions(version, new Urls('/v3'), steps)),
};

let app: RunningApp;

beforeAll(async () => {
  app = await startApp({}, 'sqlite', undefined, [servedVersion1, servedVersion]);
});

afterAll(() => app[Symbol.asyncDispose]());

const send = (method: string, body?: string) =>
  fetch(`${app.origin}/v3/orders/1`, {
    method,
    headers: { authorization: `Bearer ${app.apiKey}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body }),
  });

test('each method of a path does what it says, also after the path was read several times', async () => {
  const order = '{"id":9223372036854775807,"note":"a"}';
  expect(await (await send('PUT', order)).text()).toBe(order);
  for (let time = 0; time < 3; time += 1) expect(await (await send('GET')).text()).toBe(order);

  const removed = await send('DELETE');

  expect([removed.status, await removed.text()]).toEqual([204, '']);
  expect(removed.headers.has('content-type')).toBe(false);
  expect(removed.headers.get('cache-control')).toBe('no-store');
  expect(await (await send('GET')).json()).toEqual({ id: 0, note: 'none' });
});

test('a body is validated whatever the method, and another method is refused with those of the path', async () => {
  expect(await (await send('PUT', '{"id":1}')).json()).toMatchObject({ status: 400, code: 'invalid_body' });
  const refused = await send('POST', '{}');
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, PUT, DELETE']);
});

test('an operation that may write is refused to a key that may read, whatever the method', async () => {
  const response = await fetch(`${app.origin}/v3/orders/1`, { method: 'DELETE' });
  expect(await response.json()).toMatchObject({ status: 401, code: 'missing_api_key' });
});

test('a version beside the first has its own operations and OpenAPI document, and leaves those of the first', async () => {
  const pathsOf = async (path: string) => {
    const document = await (await fetch(app.origin + path)).json();
    return Object.keys(z.object({ paths: z.record(z.string(), z.unknown()) }).parse(document).paths);
  };
  expect(await pathsOf('/openapi.json')).toEqual(expect.arrayContaining(['/pets', '/pets/{petId}']));
  expect(await pathsOf('/openapi-v3.json')).toEqual(['/orders/{id}']);
  const headers = { authorization: `Bearer ${app.apiKey}` };
  const statusOf = async (path: string) => (await fetch(app.origin + path, { headers })).status;
  expect([await statusOf('/v1/pets'), await statusOf('/v3/pets')]).toEqual([200, 404]);
});
