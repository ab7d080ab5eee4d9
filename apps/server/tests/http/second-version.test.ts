import { sharedChecks } from '@petstore/conformance';
import { v2 } from '@petstore/test-support/second-version';
import { createExpressEndpoints } from '@ts-rest/express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type RunningApp, startApp } from '#support/app';
import { listPets } from '../../src/pets/repository.ts';
import { endpointOptions, type ServedVersion, servedVersion1 } from '../../src/v1/endpoints.ts';
import { Urls } from '../../src/v1/urls.ts';

const Document = z.object({ paths: z.record(z.string(), z.unknown()) });

const CATEGORIES = ['none', 'birds', 'dogs'];
const nameOf = (categoryId: number | bigint) => CATEGORIES[Number(categoryId)] ?? 'none';

/** Version 2 over the same pets: the category of a pet has a name in place of an id. */
const servedVersion2: ServedVersion = {
  version: v2,
  addEndpoints(app, { database, createQueue }, steps) {
    const handlers: Parameters<typeof createExpressEndpoints<typeof v2.contract>>[1] = {
      pets: {
        async listPets({ query: { limit, status } }) {
          const pets = await listPets(database, { limit, after: undefined, status });
          const body = pets.map(({ categoryId, ...pet }) => ({ ...pet, category: nameOf(categoryId) }));
          return { status: 200, body };
        },
        async createPet({ body: { category, ...newPet } }) {
          const pet = { ...newPet, categoryId: CATEGORIES.indexOf(category) };
          const creation = await createQueue.create({ pet, idempotencyKey: undefined });
          if (creation.outcome !== 'created') throw new Error(creation.outcome);
          const { categoryId, ...created } = creation.pet;
          return { status: 201, body: { ...created, category: nameOf(categoryId) } };
        },
      },
    };
    createExpressEndpoints(v2.contract, handlers, app, endpointOptions(v2, new Urls(v2.prefix), steps));
  },
};

describe('A second version beside the first', () => {
  let app: RunningApp;

  beforeAll(async () => {
    app = await startApp({}, 'sqlite', undefined, [servedVersion1, servedVersion2]);
  });

  afterAll(() => app[Symbol.asyncDispose]());

  async function request(path: string, init: RequestInit = {}) {
    const headers = { authorization: `Bearer ${app.apiKey}`, 'content-type': 'application/json' };
    const response = await fetch(app.origin + path, { headers, ...init });
    return { status: response.status, body: await response.json() };
  }

  test('has its own property, over the same pets', async () => {
    const body = JSON.stringify({ name: 'Ñandú', category: 'birds' });
    const added = { id: 1, name: 'Ñandú', category: 'birds' };
    expect(await request('/v2/pets', { method: 'POST', body })).toMatchObject({ status: 201, body: added });
    const [pet] = z.array(z.unknown()).parse((await request('/v2/pets')).body);
    expect(pet).toMatchObject(added);
    expect(pet).not.toHaveProperty('categoryId');
    const inVersion1 = (await request('/v1/pets/1')).body;
    expect(inVersion1).toMatchObject({ id: 1, name: 'Ñandú', categoryId: 1 });
    expect(inVersion1).not.toHaveProperty('category');
    expect(await request('/v1/pets')).toEqual({ status: 200, body: [inVersion1] });
  });

  test('validates requests by its own schemas', async () => {
    const body = JSON.stringify({ name: 'Ñandú', categoryId: 1 });
    const { status, body: error } = await request('/v2/pets', { method: 'POST', body });
    expect(status).toBe(400);
    expect(error).toHaveProperty('code', 'invalid_body');
  });

  test('has only its own operations', async () => {
    expect(await request('/v2/pets/1')).toMatchObject({ status: 404, body: { code: 'path_not_found' } });
    expect(await request('/v2/pets', { method: 'PUT' })).toMatchObject({ status: 405 });
  });

  test('has an OpenAPI document of its own, which needs no key', async () => {
    const documents = ['/openapi.json', '/openapi-v2.json'].map(async (path) => {
      const response = await fetch(app.origin + path);
      return Object.keys(Document.parse(await response.json()).paths);
    });
    const [paths1 = [], paths2 = []] = await Promise.all(documents);
    expect(paths1).toEqual(expect.arrayContaining(['/pets', '/pets/{petId}']));
    expect(paths2).toEqual(['/pets']);
  });

  describe('passes the checks that all versions share:', () => {
    for (const check of sharedChecks) {
      test(check.name, () => check.run({ baseUrl: `${app.origin}/v2`, apiKey: app.apiKey, fetch }));
    }
  });
});
