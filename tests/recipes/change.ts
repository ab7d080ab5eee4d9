import { after, all, type Recipe } from './recipe.ts';

const contract = `  replacePet: operation({
    method: 'PUT',
    path: '/pets/:petId',
    summary: 'Replace a pet',
    description: 'Replaces one pet, unless it was changed since the response with the entity tag.',
    pathParams: z.object({ petId: PetId }),
    headers: z.object({
      'if-match': z.string().optional().meta({ param: { description: 'The entity tag of the pet' } }),
    }),
    contentType: 'application/json',
    body: NewPet,
    responses: { 200: Pet, ...errors('pet_not_found', 'precondition_required') },
    metadata: { scope: 'write', successes: { 200: 'Pet replaced' } },
  }),
`;

const repository = `
/** Replaces a pet. @returns the pet, or \`undefined\` if it is not as it was before */
export async function replacePet(db: Kysely<Tables>, old: Pet, pet: NewPet): Promise<Pet | undefined> {
  const { created_at, created_by, ...columns } = rowOf(pet, { createdAt: 0, createdBy: '' });
  const row = await db
    .updateTable('pets')
    .set(columns)
    .where('id', '=', old.id)
    .where('name', '=', old.name)
    .where('category_id', '=', old.categoryId)
    .where('status', 'is not distinct from', old.status ?? null)
    .returning(selection)
    .executeTakeFirst();
  return row && toPet(row);
}
`;

const handler = `
    replacePet: {
      middleware: [readJsonBody],
      async handler({ params: { petId }, headers, body }) {
        const ifMatch = headers['if-match'];
        if (ifMatch === undefined) return refuse('precondition_required');
        const pet = await findPet(db, petId);
        if (pet === undefined) return refuse('pet_not_found');
        const isCurrent = matchesEntityTag(ifMatch, entityTagOf(stringifyJson(pet)));
        const replaced = isCurrent ? await replacePet(db, pet, body) : undefined;
        return replaced ? { status: 200, body: replaced } : refuse('precondition_failed');
      },
    },
`;

const inMemory = `
  async replacePet(request: Request, petId: string): Promise<Response> {
    const ifMatch = request.headers.get('if-match');
    const newPet = await readBody(request, NewPet);
    if (ifMatch === null) throw new HttpError('precondition_required');
    const pet = this.#find(petId);
    const isCurrent = hasTag(ifMatch, await entityTagOf(stringifyJson(pet)));
    const index = this.pets.indexOf(pet);
    if (!isCurrent || index < 0) throw new HttpError('precondition_failed');
    const replaced = { id: pet.id, ...newPet };
    this.pets[index] = replaced;
    return json(200, stringifyJson(replaced));
  }
`;

const tests = `import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningApp, startApp } from '#support/app';

let app: RunningApp;

beforeAll(async () => {
  app = await startApp();
});

afterAll(() => app[Symbol.asyncDispose]());

async function send(method: string, path: string, name?: string, headers: Record<string, string> = {}) {
  const body = name === undefined ? null : JSON.stringify({ name, categoryId: 7 });
  const authorization = \`Bearer \${app.apiKey}\`;
  const all = { authorization, 'content-type': 'application/json', ...headers };
  const response = await fetch(app.baseUrl + path, { method, body, headers: all });
  return { status: response.status, etag: response.headers.get('etag') ?? '', body: Object(await response.json()) };
}

/** Adds a pet, and replaces it under the entity tag of its first representation. */
async function addPet(key: string = crypto.randomUUID()) {
  const { body } = await send('POST', '/pets', 'First', { 'idempotency-key': key });
  const path = \`/pets/\${body.id}\`;
  const { etag } = await send('GET', path);
  const replace = (name: string, headers: Record<string, string> = { 'if-match': etag }) =>
    send('PUT', path, name, headers);
  return { body, path, replace };
}

test('a change without If-Match returns 428, and changes nothing', async () => {
  const { body, path, replace } = await addPet();
  expect(await replace('Second', {})).toMatchObject({ status: 428, body: { code: 'precondition_required' } });
  expect((await send('GET', path)).body).toEqual(body);
});

test('a change under an old entity tag returns 412, and changes nothing', async () => {
  const { body, path, replace } = await addPet();
  expect(await replace('Second')).toMatchObject({ status: 200, body: { ...body, name: 'Second' } });
  expect(await replace('Third')).toMatchObject({ status: 412, body: { code: 'precondition_failed' } });
  expect((await send('GET', path)).body).toEqual({ ...body, name: 'Second' });
});

test('one of ten concurrent changes under one entity tag succeeds', async () => {
  const { replace } = await addPet();
  const responses = await Promise.all(Array.from({ length: 10 }, (_, index) => replace(\`Pet \${index}\`)));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(412)]);
});

test('a repeated createPet returns its first response, also after a change', async () => {
  const key = crypto.randomUUID();
  const { body, replace } = await addPet(key);
  await replace('Second');
  const again = await send('POST', '/pets', 'First', { 'idempotency-key': key });
  expect(again).toMatchObject({ status: 201, body });
});
`;

/** Replaces a pet, if it is as the caller has read it. */
export const change: Recipe = {
  title: 'An operation that changes a pet',
  heading: 'An operation that changes a pet',
  maxFiles: 10,
  edits: {
    'packages/contract/src/error.ts': after(
      "    description: 'The If-Match header names no current representation',\n  },\n",
      "  precondition_required: { status: 428, description: 'The change needs an If-Match header' },\n",
    ),
    'packages/contract/src/v1/pets.ts': after(
      "      responseHeaders: { 201: ['Location', 'Idempotency-Replayed'] },\n    },\n  }),\n",
      contract,
    ),
    'apps/server/src/database/postgres/privileges.ts': (text) =>
      text.replace("pets: ['select', 'insert']", "pets: ['select', 'insert', 'update']"),
    'deploy/postgres/grants.sql': (text) =>
      text.replace('grant select, insert on pets to', 'grant select, insert, update on pets to'),
    'apps/server/src/pets/repository.ts': (text) => text + repository,
    'apps/server/src/pets/handlers-v1.ts': all(
      after('import { parseIdempotencyKey, ', 'stringifyJson, '),
      (text) => text.replace('{ withEntityTag }', '{ entityTagOf, matchesEntityTag, withEntityTag }'),
      after('import { findPet, readPage', ', replacePet'),
      after('        return { status: 201, body: pet };\n      },\n    },\n', handler),
    ),
    'apps/server/tests/http/replace-pet.test.ts': () => tests,
    'packages/client/src/testing/pet-routes.ts': all(
      after('import { cacheable, ', 'entityTagOf, hasTag, '),
      after('    return cacheable(request, stringifyJson(this.#find(petId)));\n  }\n', inMemory),
    ),
  },
};
