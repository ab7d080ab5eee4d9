import { v1 } from '@petstore/contract';
import { initClient } from '@ts-rest/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { answers, storeBehind } from '../tests/proxy.ts';
import { exactBody, petStoreFetcher } from './ts-rest.ts';

async function plainClient(faults: Parameters<typeof storeBehind>[0] = []) {
  const { baseUrl, apiKey, animals, requests } = await storeBehind(faults);
  const api = petStoreFetcher({ apiKey, retryDelayMs: 1, onDeprecation: false });
  const { pets } = initClient(v1.contract, { baseUrl: new URL(baseUrl).origin, api });
  return { pets, animals, requests };
}

describe("ts-rest's own client with the fetcher", () => {
  const animal = { name: 'Ñandú 🦤', categoryId: 9007199254740993n };

  test('writes, lists and fetches integers beyond 2^53 unrounded', async () => {
    const { pets, animals } = await plainClient();
    const created = await pets.createPet({ body: exactBody(animal) });
    expect(created).toMatchObject({ status: 201, body: { id: 1, ...animal } });
    expect(animals).toEqual([{ id: 1, ...animal }]);
    expect(await pets.listPets({ query: { limit: 5 } })).toMatchObject({ status: 200, body: [animal] });
    expect(await pets.getPet({ params: { petId: 1 } })).toMatchObject({ status: 200, body: animal });
    expect(await pets.getPet({ params: { petId: 9007199254740993n } })).toMatchObject({ status: 404 });
  });

  test('tries again, with one key and one animal', async () => {
    const loss = answers['answers 502 with an HTML page after the work'];
    const { pets, animals, requests } = await plainClient([loss, loss]);
    expect(await pets.createPet({ body: { name: 'a', categoryId: 1 } })).toMatchObject({ status: 201 });
    expect(animals).toHaveLength(1);
    expect(requests).toHaveLength(3);
  });

  test('sends the header fields that it was given', async () => {
    const { pets, requests } = await plainClient();
    const headers = { 'idempotency-key': 'k-1' };
    await pets.createPet({
      headers,
      extraHeaders: { traceparent: '00-1-2-01' },
      body: { name: 'a', categoryId: 1 },
    });
    expect(requests[0]?.headers).toMatchObject({ ...headers, traceparent: '00-1-2-01' });
  });

  test('can be ended by a signal', async () => {
    const { pets } = await plainClient();
    const call = pets.listPets({ fetchOptions: { signal: AbortSignal.abort() } });
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
  });

  test('needs exactBody for a bigint: ts-rest itself cannot write one', async () => {
    const { pets } = await plainClient();
    await expect(pets.createPet({ body: animal })).rejects.toThrow(TypeError);
  });
});

test('an exact body is the body itself, but for how JSON.stringify writes it', () => {
  const body = { name: 'a', categoryId: 2n ** 63n - 1n, status: 'sold' as const };
  expect(exactBody(body)).toEqual(body);
  expect(JSON.stringify(exactBody(body))).toBe(
    '{"name":"a","categoryId":9223372036854775807,"status":"sold"}',
  );
});

test('where the runtime cannot write a bigint exactly, an exact body says so', () => {
  const rawJson: unknown = Reflect.get(JSON, 'rawJSON');
  onTestFinished(() => void Reflect.set(JSON, 'rawJSON', rawJson));
  Reflect.set(JSON, 'rawJSON', undefined);
  expect(() => JSON.stringify(exactBody({ id: 1n }))).toThrow(/JSON.rawJSON is missing/);
});
