import { after, all, listMigration, type Recipe } from './recipe.ts';

const contract = `import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { errors } from '../error.ts';
import { operation } from '../operation.ts';
import { Int64, idParameter } from '../values.ts';

const c = initContract();

export const NewOrder = z.object({ petId: Int64 }).meta({ id: 'NewOrder', example: { petId: 1 } });
export const Order = z.object({ id: Int64, ...NewOrder.shape }).meta({ id: 'Order' });
export type Order = z.infer<typeof Order>;
export const Orders = z.array(Order).max(100).meta({ id: 'Orders' });

export const orders = c.router({
  listOrders: operation({
    method: 'GET',
    path: '/orders',
    summary: 'List the latest orders',
    responses: { 200: Orders, 304: c.noBody() },
    metadata: { scope: 'read' },
  }),
  createOrder: operation({
    method: 'POST',
    path: '/orders',
    summary: 'Place an order',
    contentType: 'application/json',
    body: NewOrder,
    responses: { 201: Order },
    metadata: { scope: 'write', responseHeaders: { 201: ['Location'] } },
  }),
  getOrder: operation({
    method: 'GET',
    path: '/orders/:orderId',
    summary: 'Fetch one order',
    pathParams: z.object({ orderId: idParameter('Identifier of the order') }),
    responses: { 200: Order, 304: c.noBody(), ...errors('order_not_found') },
    metadata: { scope: 'read' },
  }),
});
`;

const repository = `import type { Int64, Order } from '@petstore/contract';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';

const COLUMNS = ['id', 'pet_id as petId'] as const;

export const listOrders = (db: Kysely<Tables>): Promise<Order[]> =>
  db.selectFrom('orders').select(COLUMNS).orderBy('id', 'desc').limit(100).execute();

export const findOrder = (db: Kysely<Tables>, id: Int64): Promise<Order | undefined> =>
  db.selectFrom('orders').select(COLUMNS).where('id', '=', id).executeTakeFirst();

export const createOrder = (db: Kysely<Tables>, petId: Int64): Promise<Order> =>
  db.insertInto('orders').values({ pet_id: petId }).returning(COLUMNS).executeTakeFirstOrThrow();
`;

const handlers = `import { v1 } from '@petstore/contract';
import { initServer } from '@ts-rest/express';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { withEntityTag } from '../http/entity-tags.ts';
import { refuse } from '../http/http-error.ts';
import { readJsonBody } from '../http/middleware/read-json-body.ts';
import { setHeaders } from '../http/request-context.ts';
import { createOrder, findOrder, listOrders } from './repository.ts';
import type { Urls } from '../http/urls.ts';

const { orders } = v1.contract;

export const orderHandlers = (db: Kysely<Tables>, urls: Urls) =>
  initServer().router(orders, {
    listOrders: async ({ res }) =>
      withEntityTag<typeof orders.listOrders>(res, await listOrders(db)),
    createOrder: {
      middleware: [readJsonBody],
      async handler({ body: { petId }, res }) {
        const order = await createOrder(db, petId);
        setHeaders<typeof orders.createOrder, 201>(res, { Location: \`\${urls.base}/orders/\${order.id}\` });
        return { status: 201, body: order };
      },
    },
    async getOrder({ params: { orderId }, res }) {
      const order = await findOrder(db, orderId);
      if (order === undefined) return refuse('order_not_found');
      return withEntityTag<typeof orders.getOrder>(res, order);
    },
  });
`;

const migration = `import type { Migration } from 'kysely/migration';
import { columnTypes } from './column-types.ts';

export const orders: Migration = {
  async up(db) {
    const { id, int64, tableEnd } = columnTypes(db);
    const table = db.schema.createTable('orders').addColumn('id', id).modifyEnd(tableEnd);
    await table.addColumn('pet_id', int64, (column) => column.notNull()).execute();
  },
};
`;

/** Orders, with list, create and get. */
export const resource: Recipe = {
  title: 'A resource',
  heading: 'A resource',
  maxFiles: 16,
  edits: {
    'packages/contract/src/error.ts': after(
      "  pet_not_found: { status: 404, description: 'No pet has this id' },\n",
      "  order_not_found: { status: 404, description: 'No order has this id' },\n",
    ),
    'packages/contract/src/v1/orders.ts': () => contract,
    'packages/contract/src/v1/v1.ts': all(
      after("'../version.ts';\n", "import { orders } from './orders.ts';\n"),
      after('router({ pets', ', orders'),
      after("for adoption'", ", orders: 'Orders for pets'"),
    ),
    'packages/contract/src/index.ts': after(
      "from './v1/cursor.ts';\n",
      "export { NewOrder, Order, Orders } from './v1/orders.ts';\n",
    ),
    'apps/server/src/database/migrations/010-orders.ts': () => migration,
    'apps/server/src/database/migrations/index.ts': listMigration('010-orders', 'orders'),
    'apps/server/src/database/tables.ts': all(
      after(
        '  last_used_at: Int64 | null;\n}\n',
        '\nexport interface OrdersTable {\n  id: Generated<Int64>;\n  pet_id: Int64;\n}\n',
      ),
      after('  api_keys: ApiKeysTable;\n', '  orders: OrdersTable;\n'),
      after("  api_keys: 'hash',\n", "  orders: 'id',\n"),
    ),
    'apps/server/src/database/postgres/privileges.ts': after(
      "  api_keys: ['select', 'insert', 'update'],\n",
      "  orders: ['select', 'insert'],\n",
    ),
    'deploy/postgres/grants.sql': after(
      '  grant select, insert, update on api_keys to petstore_serve;\n',
      '  grant select, insert on orders to petstore_serve;\n',
    ),
    'apps/server/src/orders/repository.ts': () => repository,
    'apps/server/src/orders/handlers-v1.ts': () => handlers,
    'apps/server/src/service/versions.ts': all(
      after(
        "'../http/validation-error.ts';\n",
        "import { orderHandlers } from '../orders/handlers-v1.ts';\n",
      ),
      after('petHandlers(parts, urls)', ', orders: orderHandlers(parts.database.db, urls)'),
    ),
    'packages/client/src/index.ts': all(
      after('  ListPetsQuery,\n', '  NewOrder,\n'),
      after('  Operation,\n', '  Order,\n  OrderId,\n  Orders,\n'),
    ),
    'packages/client/src/testing/pet-routes.ts': all(
      after('  type Int64,\n', '  NewOrder,\n'),
      after('  normalizeInteger,\n', '  type Order,\n'),
      after(
        '    return cacheable(request, stringifyJson(this.#find(petId)));\n  }\n',
        `
  readonly #orders: Order[] = [];

  listOrders(request: Request): Promise<Response> {
    return cacheable(request, stringifyJson(this.#orders.slice(-100).toReversed()));
  }

  async createOrder(request: Request): Promise<Response> {
    const order = { id: this.#orders.length + 1, ...(await readBody(request, NewOrder)) };
    this.#orders.push(order);
    return json(201, stringifyJson(order), { location: \`\${prefix}/orders/\${order.id}\` });
  }

  async getOrder(request: Request, orderId: string): Promise<Response> {
    const order = findById(this.#orders, orderId);
    if (order === undefined) throw new HttpError('order_not_found');
    return cacheable(request, stringifyJson(order));
  }
`,
      ),
    ),
  },
};
