import { after, before, inTurn, type Recipe, replace } from '../recipe.ts';

/** countPets: how many pets there are. */
export const endpoint: Recipe = {
  heading: 'An endpoint',
  steps: [
    {
      file: 'packages/contract/src/v1/pets.ts',
      edit: inTurn(
        before(
          '/** The operations on pets. */',
          `export const PetCount = z
  .object({ count: z.int().meta({ description: 'Pets of the catalogue' }) })
  .meta({ id: 'PetCount', description: 'How many pets there are' });

`,
        ),
        before(
          "  getPet: {\n    method: 'GET',",
          `  countPets: {
    method: 'GET',
    path: '/pet-count',
    summary: 'Count pets',
    responses: { 200: PetCount, 304: c.noBody(), 412: ErrorBody },
    metadata: {
      scope: 'read',
      errorCodes: ['precondition_failed'],
      responseHeaders: { 200: ['ETag'], 304: ['ETag'] },
    } satisfies RouteMetadata,
  },
`,
        ),
      ),
      named: './v1/pets.ts',
    },
    {
      file: 'packages/contract/src/index.ts',
      edit: replace('{ getPetDeprecation, ListPetsQuery }', '{ getPetDeprecation, ListPetsQuery, PetCount }'),
      named: '"@petstore/contract"',
    },
    {
      file: 'packages/contract/README.md',
      edit: before('| `Accept` ', '| number of pets | `GET /pet-count` returns it as `{"count":3}` |\n'),
      noticedBy: 'packages/conformance/tests/checks.test.ts',
      named: 'packages/contract/README.md',
    },
    {
      file: 'apps/server/src/pets/repository.ts',
      edit: (text) =>
        `${text}
const count = query(
  {},
  (db) => db.selectFrom('pets').select(({ fn }) => fn.countAll<Int64>().as('count')),
  { maxRows: 1 },
);

/** How many pets there are. */
export async function countPets(session: Session): Promise<number> {
  const [row] = await session.query(count, {});
  return Number(row?.count);
}
`.replace('type { Database, Versioned }', 'type { Database, Session, Versioned }'),
      named: '../pets/repository.ts',
    },
    {
      file: 'apps/server/src/v1/pets.ts',
      edit: inTurn(
        replace('import { findPet, listPets }', 'import { countPets, findPet, listPets }'),
        before(
          '    async getPet({ params',
          `    async countPets() {
      return { status: 200, body: { count: await countPets(database) } };
    },

`,
        ),
      ),
    },
    {
      file: 'packages/client/src/pet-store.ts',
      edit: after(
        "createPet: (body, options) => call('createPet', { body }, options),\n",
        "  countPets: (options) => call('countPets', {}, options),\n",
      ),
    },
    {
      file: 'packages/client/src/index.ts',
      edit: after('  Pet,\n', '  PetCount,\n'),
      noticedBy: 'packages/client/tests/generate.test.ts',
    },
    {
      file: 'packages/client/src/testing/pet-routes.ts',
      edit: before(
        '  async createPet(request: Request)',
        `  countPets(request: Request): Promise<Response> {
    return cacheable(request, stringifyJson({ count: this.pets.length }));
  }

`,
      ),
    },
    {
      file: 'packages/conformance/src/checks/count-pets/count-pets.ts',
      edit: () => `import { parseJson } from '@petstore/contract';
import { type Check, checks } from '../../check.ts';
import { expect, expectStatus } from '../../http/response.ts';
import { send } from '../../http/send.ts';
import { addPet } from '../../pets.ts';

export const countPets: Check[] = checks('decision: number of pets', {
  'countPets counts a pet that was added': async (target) => {
    const before = expectStatus(await send(target, 'GET', '/pet-count'), 200);
    await addPet(target);
    const after = expectStatus(await send(target, 'GET', '/pet-count'), 200);
    // Others may add pets meanwhile.
    expect(after, countOf(after.text) > countOf(before.text), 'more pets than before', after.text);
  },
});

function countOf(text: string): number {
  const body: unknown = parseJson(text);
  return body instanceof Object && 'count' in body ? Number(body.count) : Number.NaN;
}
`,
      named: './count-pets/count-pets.ts',
    },
    {
      file: 'packages/conformance/src/checks/index.ts',
      edit: inTurn(
        before(
          "import { body } from './create-pet/body.ts';\n",
          "import { countPets } from './count-pets/count-pets.ts';\n",
        ),
        before('    getPet: [...getPet', '    countPets,\n'),
      ),
    },
    {
      file: 'packages/conformance/tests/defects.ts',
      edit: after(
        'export const defects: Defect[] = [\n',
        `  {
    defect: 'countPets always counts one',
    foundBy: 'countPets counts a pet that was added',
    breaks: changesResponse((response, { url }) => {
      if (url.pathname.endsWith('/pet-count')) response.text = '{"count":1}';
    }),
  },
`,
      ),
      noticedBy: 'packages/conformance/tests/checks.test.ts',
      named: 'count-pets',
    },
  ],
};
