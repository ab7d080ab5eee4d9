import { commonResponses, Int64, type RouteMetadata, type Version } from '@petstore/contract';
import { initContract } from '@ts-rest/core';
import * as z from 'zod';

const c = initContract();

export const Order = z
  .object({ id: Int64, note: z.string(), placedOn: z.iso.date().optional() })
  .meta({ id: 'Order', description: 'An order' });
export type Order = z.output<typeof Order>;

const readMetadata = { scope: 'read', errorCodes: [], responseHeaders: {} } as const satisfies RouteMetadata;
const metadata = { scope: 'write', errorCodes: [], responseHeaders: {} } as const satisfies RouteMetadata;
const path = '/orders/:orderId';
const pathParams = z.object({ orderId: z.string() });
const orders = c.router({
  getOrder: { method: 'GET', path, pathParams, responses: { 200: Order }, metadata: readMetadata },
  replaceOrder: { method: 'PUT', path, pathParams, body: Order, responses: { 200: Order }, metadata },
  cancelOrder: {
    method: 'DELETE',
    path,
    pathParams,
    body: c.noBody(),
    responses: { 204: c.noBody() },
    metadata,
  },
  placeOrder: {
    method: 'POST',
    path: '/orders',
    body: Order,
    responses: { 201: Order },
    metadata: { ...metadata, successes: { 201: 'Order placed' } },
  },
});

/** A second version of the interface, as it could stand in `src/v2/v2.ts`: another resource, with other methods. */
export const v2 = {
  prefix: '/v2',
  contract: c.router({ orders }, { pathPrefix: '/v2', strictStatusCodes: true, commonResponses }),
  tags: { orders: 'The orders' },
} as const satisfies Version;
