import { commonResponses, getPetDeprecation, v1 } from '@petstore/contract';
import { initContract } from '@ts-rest/core';
import { createExpressEndpoints } from '@ts-rest/express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningApp, startApp } from '#support/app';
import { endpointOptions, type ServedVersion } from '../../src/v1/endpoints.ts';
import { petHandlers } from '../../src/v1/pets.ts';
import { Urls } from '../../src/v1/urls.ts';

// Version 1 as the release after the sunset date has it, without getPet.
const { getPet, ...remaining } = v1.contract.pets;
const c = initContract();
const contract = c.router({ pets: c.router(remaining) }, { strictStatusCodes: true, commonResponses });

const version = { ...v1, contract };
const servedVersion: ServedVersion = {
  version,
  addEndpoints(app, parts, steps) {
    const urls = new Urls(v1.prefix);
    const { getPet: _removed, ...pets } = petHandlers(parts, urls);
    createExpressEndpoints(contract, { pets }, app, endpointOptions(version, urls, steps));
  },
};

describe('After the removal of getPet', () => {
  let app: RunningApp;

  beforeAll(async () => {
    app = await startApp({}, 'sqlite', undefined, [servedVersion]);
    await app.request('/pets', { method: 'POST', body: '{"name":"Ñandú","categoryId":7,"status":"sold"}' });
  });

  afterAll(() => app[Symbol.asyncDispose]());

  test('its path returns 404 like any unknown path, and announces nothing any more', async () => {
    const response = await app.request('/pets/1');
    expect(response.status).toBe(404);
    expect(await response.json()).toHaveProperty('code', 'path_not_found');
    expect(response.headers.has('deprecation')).toBe(false);
  });

  test('the operation that replaces it returns the pet', async () => {
    const response = await app.request(`${getPetDeprecation.successor}?status=sold`);
    expect(await response.json()).toMatchObject([{ id: 1, name: 'Ñandú', categoryId: 7, status: 'sold' }]);
  });

  test('the OpenAPI document has no such path', async () => {
    const document = await (await fetch(`${app.origin}/openapi.json`)).text();
    expect(document).toContain('"/pets"');
    expect(document).not.toContain('/pets/{petId}');
  });
});
