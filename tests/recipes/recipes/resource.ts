import { after, before, inTurn, listMigration, type Recipe, replace } from '../recipe.ts';

/** Shelters, with one operation that lists them. */
export const resource: Recipe = {
  heading: 'A resource',
  steps: [
    {
      file: 'packages/contract/src/v1/shelter.ts',
      edit: () => `import * as z from 'zod/mini';
import { Int64 } from '../json/int64.ts';

/** Where pets live until they are adopted. */
export const Shelter = z
  .object({ id: Int64, name: z.string() })
  .check(z.meta({ id: 'Shelter', description: 'Where pets live until they are adopted' }));
export type Shelter = z.infer<typeof Shelter>;

export const Shelters = z
  .array(Shelter)
  .check(z.maxLength(100), z.meta({ id: 'Shelters', description: 'All shelters, ordered by id' }));
`,
      named: './shelter.ts',
    },
    {
      file: 'packages/contract/src/v1/shelters.ts',
      edit: () => `import { initContract } from '@ts-rest/core';
import { ErrorBody } from '../error.ts';
import type { RouteMetadata } from '../route-metadata.ts';
import { Shelters } from './shelter.ts';

const c = initContract();

/** The operations on shelters. */
export const shelters = c.router({
  listShelters: {
    method: 'GET',
    path: '/shelters',
    summary: 'List shelters',
    responses: { 200: Shelters, 304: c.noBody(), 412: ErrorBody },
    metadata: {
      scope: 'read',
      errorCodes: ['precondition_failed'],
      responseHeaders: { 200: ['ETag'], 304: ['ETag'] },
    } satisfies RouteMetadata,
  },
});
`,
      named: './shelters.ts',
    },
    {
      file: 'packages/contract/src/v1/v1.ts',
      edit: inTurn(
        after("import { pets } from './pets.ts';\n", "import { shelters } from './shelters.ts';\n"),
        replace('{ pets },', '{ pets, shelters },'),
      ),
      named: "'shelters'",
    },
    {
      file: 'packages/contract/src/v1/v1.ts',
      edit: replace(
        "{ pets: 'The pets available for adoption' }",
        "{ pets: 'The pets available for adoption', shelters: 'Where they live' }",
      ),
    },
    {
      file: 'packages/contract/src/index.ts',
      edit: before(
        "export { v1 } from './v1/v1.ts';\n",
        "export { Shelter, Shelters } from './v1/shelter.ts';\n",
      ),
      named: '"@petstore/contract"',
    },
    {
      file: 'packages/contract/README.md',
      edit: before('| `Accept` ', '| shelters | `GET /shelters` returns all of them, ordered by id |\n'),
      isAsIn: 'An endpoint',
    },
    {
      file: 'apps/server/src/migrations/903-shelters.ts',
      edit: () => `import type { Migration } from 'kysely/migration';
import type { EngineSyntax } from '../database/migrations/engine-syntax';

/** Where pets live. */
export const shelters = ({ id, tableEnd }: EngineSyntax): Migration => ({
  async up(db) {
    await db.schema
      .createTable('shelters')
      .addColumn('id', id)
      .addColumn('name', 'text', (column) => column.notNull())
      .modifyEnd(tableEnd)
      .execute();
  },
});
`,
      named: './903-shelters.ts',
    },
    listMigration('903-shelters', 'shelters'),
    {
      file: 'apps/server/src/tables.ts',
      edit: inTurn(
        before(
          'export interface Tables {',
          `/** Where pets live. */
const shelters = { id: 'int64', name: 'text' } as const satisfies Columns;

`,
        ),
        after('  api_keys: Row<typeof apiKeys>;\n', '  shelters: Row<typeof shelters>;\n'),
        after('  api_keys: apiKeys,\n', '  shelters,\n'),
      ),
      named: '"shelters"',
    },
    {
      file: 'apps/server/src/shelters/repository.ts',
      edit: () => `import type { Shelter } from '@petstore/contract';
import type { Session } from '../database/database';
import { query } from '../tables.ts';

const selectShelters = query(
  {},
  (db) => db.selectFrom('shelters').select(['id', 'name']).orderBy('id').limit(100),
  { maxRows: 100 },
);

/** All shelters, ascending by id. */
export const listShelters = (session: Session): Promise<Shelter[]> => session.query(selectShelters, {});
`,
      named: '../shelters/repository.ts',
    },
    {
      file: 'apps/server/src/v1/shelters.ts',
      edit: () => `import type { v1 } from '@petstore/contract';
import type { Session } from '../database/database';
import { listShelters } from '../shelters/repository.ts';
import type { Handlers } from './handlers.ts';

/** The operations on shelters. */
export const shelterHandlers = (
  database: Session,
): Handlers<(typeof v1.contract)['shelters']> => ({
  async listShelters() {
    return { status: 200, body: await listShelters(database) };
  },
});
`,
      named: './shelters.ts',
    },
    {
      file: 'apps/server/src/v1/served-versions.ts',
      edit: inTurn(
        before("import { Urls } from './urls.ts';\n", "import { shelterHandlers } from './shelters.ts';\n"),
        replace(
          '{ pets: petHandlers(parts, urls) }',
          '{ pets: petHandlers(parts, urls), shelters: shelterHandlers(parts.database) }',
        ),
      ),
    },
    {
      file: 'packages/client/src/pet-store.ts',
      edit: after(
        "createPet: (body, options) => call('createPet', { body }, options),\n",
        "  listShelters: (options) => call('listShelters', {}, options),\n",
      ),
      isAsIn: 'An endpoint',
    },
    {
      file: 'packages/client/src/index.ts',
      edit: after('  Pets,\n', '  Shelter,\n  Shelters,\n'),
      isAsIn: 'An endpoint',
    },
    {
      file: 'packages/client/src/testing/pet-routes.ts',
      edit: before(
        '  async createPet(request: Request)',
        `  listShelters(request: Request): Promise<Response> {
    return cacheable(request, stringifyJson([{ id: 1, name: 'Riverside' }]));
  }

`,
      ),
      isAsIn: 'An endpoint',
    },
    {
      file: 'packages/conformance/src/checks/list-shelters/list-shelters.ts',
      edit: () => `import { Shelters } from '@petstore/contract';
import { type Check, readOnlyChecks } from '../../check.ts';
import { bodyOf, expectStatus } from '../../http/response.ts';
import { send } from '../../http/send.ts';

export const listShelters: Check[] = readOnlyChecks('decision: shelters', {
  'listShelters returns an array of Shelter': async (target) =>
    bodyOf(expectStatus(await send(target, 'GET', '/shelters'), 200), Shelters, 'an array of Shelter'),
});
`,
      isAsIn: 'An endpoint',
    },
    {
      file: 'packages/conformance/src/checks/index.ts',
      edit: inTurn(
        before(
          "import { concurrentPagination } from './list-pets/concurrent-pagination.ts';\n",
          "import { listShelters } from './list-shelters/list-shelters.ts';\n",
        ),
        after('getPet: [...getPet, ...deprecation],\n  },\n', '  shelters: { listShelters },\n'),
      ),
      isAsIn: 'An endpoint',
    },
    {
      file: 'packages/conformance/tests/defects.ts',
      edit: after(
        'export const defects: Defect[] = [\n',
        `  {
    defect: 'listShelters returns an object',
    foundBy: 'listShelters returns an array of Shelter',
    breaks: changesResponse((response, { url }) => {
      if (url.pathname.endsWith('/shelters')) response.text = '{}';
    }),
  },
`,
      ),
      isAsIn: 'An endpoint',
    },
  ],
};
