import { Int64, operation, type Version } from '@petstore/contract';
import { initContract } from '@ts-rest/core';
import * as z from 'zod';

const c = initContract();

const Order = z.object({ id: Int64, note: z.string() }).meta({ id: 'Order', description: 'An order' });
const onOrder = { path: '/orders/:orderId', pathParams: z.object({ orderId: z.string() }) } as const;
const metadata = { scope: 'write' } as const;
const orders = c.router({
  getOrder: operation({ ...onOrder, method: 'GET', responses: { 200: Order }, metadata: { scope: 'read' } }),
  replaceOrder: operation({ ...onOrder, method: 'PUT', body: Order, responses: { 200: Order }, metadata }),
  cancelOrder: operation({
    ...onOrder,
    method: 'DELETE',
    body: c.noBody(),
    responses: { 204: c.noBody() },
    metadata,
  }),
});

/** A second version of the interface, as it could stand in `src/v2/v2.ts`: another resource, with other methods. */
export const v2 = {
  prefix: '/v2',
  contract: c.router({ orders }, { strictStatusCodes: true }),
  tags: { orders: 'The orders' },
} as const satisfies Version;
