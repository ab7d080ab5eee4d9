import { after, all, type Recipe } from './recipe.ts';

const deprecation = `/** Version 1 is to be removed on 1 July 2031. */
const v1Deprecation: Deprecation = {
  since: new Date('2026-12-01T00:00:00Z'),
  sunset: new Date('2031-07-01T00:00:00Z'),
  successor: '/v2/pets',
};

`;

/** Deprecates the operations of version 1 that have a counterpart in version 2. */
const deprecateV1 = all(
  (text) => text.replace('export const pets = c.router({', (anchor) => deprecation + anchor),
  ...['List pets', 'Add a pet'].map((summary) =>
    after(`    summary: '${summary}',\n`, '    deprecated: true,\n'),
  ),
  ...['a Link with rel="next".', 'can be repeated safely.'].map((end) =>
    after(`${end}'`, " + ' Deprecated, and to be removed on 1 July 2031: use `/v2/pets` instead.'"),
  ),
  after("304: ['Link'] }", ', deprecation: v1Deprecation'),
  after("201: ['Location', 'Idempotency-Replayed'] },\n", '      deprecation: v1Deprecation,\n'),
);

const contract = `import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { errors } from '../error.ts';
import { IdempotencyKeyHeader } from '../headers/idempotency-key.ts';
import { operation } from '../operation.ts';
import { ListPetsQuery } from '../v1/pets.ts';
import { idParameter } from '../values.ts';
import { NewPet, Pet, Pets } from './pet.ts';

const c = initContract();

export const pets = c.router({
  listPets: operation({
    method: 'GET',
    path: '/pets',
    summary: 'List pets',
    query: ListPetsQuery,
    responses: { 200: Pets, 304: c.noBody() },
    metadata: { scope: 'read', responseHeaders: { 200: ['Link'], 304: ['Link'] } },
  }),
  createPet: operation({
    method: 'POST',
    path: '/pets',
    summary: 'Add a pet',
    headers: z.object({ 'idempotency-key': IdempotencyKeyHeader }),
    contentType: 'application/json',
    body: NewPet,
    responses: { 201: Pet, ...errors('ids_exhausted') },
    metadata: { scope: 'write', responseHeaders: { 201: ['Location', 'Idempotency-Replayed'] } },
  }),
  getPet: operation({
    method: 'GET',
    path: '/pets/:petId',
    summary: 'Fetch one pet',
    pathParams: z.object({ petId: idParameter('Identifier of the pet') }),
    responses: { 200: Pet, 304: c.noBody(), ...errors('pet_not_found') },
    metadata: { scope: 'read' },
  }),
});
`;

const schemas = `import * as z from 'zod';
import { NewPet as NewPetV1, Pet as PetV1, pageSize } from '../v1/pet.ts';

const { categoryId: kindId, ...others } = NewPetV1.shape;

export const NewPet = z.object({ ...others, kindId }, 'must be a JSON object').meta({
  id: 'NewPet',
  description: 'A pet to add',
  example: { name: 'Rex', kindId: 7 },
});
export type NewPet = z.infer<typeof NewPet>;

export const Pet = z
  .object({ id: PetV1.shape.id, ...NewPet.shape })
  .meta({ id: 'Pet', description: 'A pet of the catalogue' });
export type Pet = z.infer<typeof Pet>;

export const Pets = z
  .array(Pet)
  .max(pageSize.maximum)
  .meta({ id: 'Pets', description: 'A page of pets' });
`;

const version2 = `import { initContract } from '@ts-rest/core';
import type { Version } from '../version.ts';
import { pets } from './pets.ts';

export const v2 = {
  prefix: '/v2',
  contract: initContract().router({ pets }, { strictStatusCodes: true }),
  tags: { pets: 'The pets available for adoption' },
} as const satisfies Version;
`;

const handlers = `import { type NewPet, type NewPetV2, type Pet, type PetV2, parseIdempotencyKey, v2 } from '@petstore/contract';
import { initServer } from '@ts-rest/express';
import { withEntityTag } from '../http/entity-tags.ts';
import { refuse } from '../http/http-error.ts';
import { readJsonBody } from '../http/middleware/read-json-body.ts';
import { setHeaders } from '../http/request-context.ts';
import { callerOf } from '../keys/authenticate.ts';
import { findPet, readPage } from './repository.ts';
import type { petHandlers } from './handlers-v1.ts';
import type { Urls } from '../http/urls.ts';

const { pets } = v2.contract;

// The tables, and the records of Idempotency-Keys, have pets as version 1 names their properties.
const fromV2 = ({ kindId: categoryId, ...others }: NewPetV2): NewPet => ({ ...others, categoryId });
const toV2 = ({ categoryId: kindId, ...others }: Pet): PetV2 => ({ ...others, kindId });

export function petHandlersV2(
  { database: { db }, createQueue, listCache }: Parameters<typeof petHandlers>[0],
  urls: Urls,
) {
  return initServer().router(pets, {
    listPets: {
      middleware: listCache ? [listCache.step] : [],
      async handler({ query, res }) {
        const { pets: page, next } = await readPage(db, query);
        const Link = next && urls.nextPage(pets.listPets.path, next);
        return withEntityTag<typeof pets.listPets>(res, page.map(toV2), { Link });
      },
    },

    createPet: {
      middleware: [readJsonBody],
      async handler({ body, headers, res }) {
        const creation = await createQueue.create({
          pet: fromV2(body),
          caller: callerOf(res),
          idempotencyKey: parseIdempotencyKey(headers['idempotency-key'] ?? ''),
        });
        if (creation.outcome === 'overloaded') return refuse('overloaded');
        if (creation.outcome === 'key_reused') return refuse('idempotency_key_reused');
        setHeaders<typeof pets.createPet, 201>(res, {
          Location: \`\${urls.base}/pets/\${creation.pet.id}\`,
          'Idempotency-Replayed': creation.outcome === 'replayed' ? 'true' : undefined,
        });
        return { status: 201, body: toV2(creation.pet) };
      },
    },

    async getPet({ params: { petId }, res }) {
      const pet = await findPet(db, petId);
      if (pet === undefined) return refuse('pet_not_found');
      return withEntityTag<typeof pets.getPet>(res, toV2(pet));
    },
  });
}
`;

const servedVersion2 = `
const servedVersion2: ServedVersion = {
  version: v2,
  addEndpoints(router, parts, steps) {
    const urls = new Urls(v2.prefix, parts.publicBaseUrl);
    const handlers = { pets: petHandlersV2(parts, urls) };
    createExpressEndpoints(v2.contract, handlers, router, endpointOptions(v2, urls, steps));
  },
};
`;

const tests = `import { sharedChecks } from '@petstore/conformance';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningApp, startApp } from '#support/app';

let app: RunningApp;

beforeAll(async () => {
  app = await startApp();
});

afterAll(() => app[Symbol.asyncDispose]());

async function send(path: string, pet?: object, key?: string) {
  const authorization = \`Bearer \${app.apiKey}\`;
  const headers = { authorization, 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) };
  const init = pet && { method: 'POST', body: JSON.stringify(pet) };
  const response = await fetch(app.origin + path, { ...init, headers });
  return { status: response.status, headers: response.headers, body: Object(await response.json()) };
}

test('each version lists all pets, with its own names', async () => {
  const { body: first } = await send('/v1/pets', { name: 'First', categoryId: 1 });
  const { body: second } = await send('/v2/pets', { name: 'Second', kindId: 2 });

  expect(first).toEqual({ id: expect.any(Number), name: 'First', categoryId: 1 });
  expect(second).toEqual({ id: expect.any(Number), name: 'Second', kindId: 2 });
  expect((await send('/v1/pets')).body).toEqual([first, { id: second.id, name: 'Second', categoryId: 2 }]);
  expect((await send('/v2/pets')).body).toEqual([{ id: first.id, name: 'First', kindId: 1 }, second]);
});

test.each([
  ['v1', 'categoryId', 'v2', 'kindId'],
  ['v2', 'kindId', 'v1', 'categoryId'],
])('a pet sent to %s is added once, although it is repeated with its %s to %s', async (...versions) => {
  const [one, property, other, otherProperty] = versions;
  const key = crypto.randomUUID();
  const added = await send(\`/\${one}/pets\`, { name: 'Once', [property]: 7 }, key);

  const again = await send(\`/\${other}/pets\`, { name: 'Once', [otherProperty]: 7 }, key);
  const another = await send(\`/\${other}/pets\`, { name: 'Once', [otherProperty]: 8 }, key);

  expect([added.status, again.status, another.status]).toEqual([201, 201, 422]);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.body).toEqual({ id: added.body.id, name: 'Once', [otherProperty]: 7 });
  expect(again.headers.get('location')).toBe(\`/\${other}/pets/\${added.body.id}\`);
});

test('a pet without the property of its version is refused', async () => {
  expect(await send('/v2/pets', { name: 'x', categoryId: 1 })).toMatchObject({
    body: { code: 'invalid_body', message: 'kindId is required.' },
  });
});

test('version 1 announces its removal and its successor', async () => {
  const { headers } = await send('/v1/pets');
  expect(headers.get('sunset')).toBe('Tue, 01 Jul 2031 00:00:00 GMT');
  expect(headers.get('link')).toContain('</v2/pets>; rel="successor-version"');
  expect((await send('/v2/pets')).headers.has('deprecation')).toBe(false);
});

for (const { name, run } of sharedChecks) {
  test(\`version 2: \${name}\`, () => run({ baseUrl: \`\${app.origin}/v2\`, apiKey: app.apiKey, fetch }));
}
`;

/** A second version, in which categoryId is called kindId. */
export const version: Recipe = {
  title: 'A version',
  heading: 'A version of the interface',
  maxFiles: 10,
  edits: {
    'packages/contract/src/v2/pet.ts': () => schemas,
    'packages/contract/src/v2/pets.ts': () => contract,
    'packages/contract/src/v2/v2.ts': () => version2,
    'packages/contract/src/v1/pets.ts': deprecateV1,
    'packages/contract/src/index.ts': after(
      "export { v1 } from './v1/v1.ts';\n",
      "export { NewPet as NewPetV2, Pet as PetV2 } from './v2/pet.ts';\nexport { v2 } from './v2/v2.ts';\n",
    ),
    'apps/server/src/pets/handlers-v2.ts': () => handlers,
    'apps/server/src/service/versions.ts': all(
      after('type Version, v1', ', v2'),
      after("'../pets/handlers-v1.ts';\n", "import { petHandlersV2 } from '../pets/handlers-v2.ts';\n"),
      after('endpointOptions(v1, urls, steps));\n  },\n};\n', servedVersion2),
      after('[servedVersion1', ', servedVersion2'),
    ),
    'apps/server/tests/http/versions.test.ts': () => tests,
  },
};
