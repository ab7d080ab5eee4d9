/** Adds and reads a pet with each generated client, against the server of BASE_URL. */
import assert from 'node:assert/strict';
import createFetchClient from 'openapi-fetch';
import { createClient } from './generated/hey-api/client';
import * as heyApi from './generated/hey-api/sdk.gen';
import { createPet as kubbCreatePet } from './generated/kubb/client/createPet.ts';
import { listPets as kubbListPets } from './generated/kubb/client/listPets.ts';
import type { paths } from './generated/openapi-typescript.ts';
import * as orval from './generated/orval/petstore.ts';

const { BASE_URL: baseUrl = '', API_KEY: apiKey = '' } = process.env;
const json = { 'content-type': 'application/json' };
const headers = { authorization: `Bearer ${apiKey}` };

/** Beyond 2^53 - 1: what every generated client rounds, because it parses with JSON.parse. */
const ROUNDED = 9007199254740992;

interface Pet {
  id: number;
  name: string;
  categoryId: number;
  status?: 'available' | 'pending' | 'sold' | undefined;
}

interface GeneratedClient {
  add(pet: Omit<Pet, 'id'>): Promise<Pet | undefined>;
  list(): Promise<Pet[] | undefined>;
}

// orval writes the base URL into what it generates; the fetch of a program can lead it elsewhere.
const { fetch } = globalThis;
globalThis.fetch = (input, init) =>
  fetch(typeof input === 'string' ? input.replace('http://petstore.test/v1', baseUrl) : input, init);

const openapiFetch = createFetchClient<paths>({ baseUrl, headers });
const heyApiClient = createClient({ baseUrl, headers });

const clients: Record<string, GeneratedClient> = {
  'openapi-typescript': {
    add: async (body) => (await openapiFetch.POST('/pets', { body })).data,
    list: async () => (await openapiFetch.GET('/pets', { params: { query: { limit: 100 } } })).data,
  },
  'hey-api': {
    add: async (body) => (await heyApi.createPet({ client: heyApiClient, body })).data,
    list: async () => (await heyApi.listPets({ client: heyApiClient, query: { limit: 100 } })).data,
  },
  orval: {
    add: async (pet) => {
      const response = await orval.createPet(pet, { headers });
      return response.status === 201 ? response.data : undefined;
    },
    list: async () => {
      const response = await orval.listPets({ limit: 100 }, { headers });
      return response.status === 200 ? response.data : undefined;
    },
  },
  kubb: {
    // Its fetch client sends a body without a Content-Type.
    add: (pet) => kubbCreatePet(pet, undefined, { baseURL: baseUrl, headers: { ...headers, ...json } }),
    list: () => kubbListPets({ limit: 100 }, undefined, { baseURL: baseUrl, headers }),
  },
};

for (const [name, client] of Object.entries(clients)) {
  const added = await client.add({ name, categoryId: 7, status: 'available' });
  assert.equal(added?.name, name);
  const listed = await client.list();
  assert.deepEqual(
    listed?.find((pet) => pet.name === name),
    added,
  );
  const big = listed?.find((pet) => pet.name === 'big');
  console.log(`${name}: added and listed; the categoryId 9007199254740993 is read as ${big?.categoryId}`);
  assert.equal(big?.categoryId, ROUNDED);
}
