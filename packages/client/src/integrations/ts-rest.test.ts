import { v1 } from '@petstore/contract';
import { initClient } from '@ts-rest/core';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { closeProxies, proxyResponses, storeBehindProxy } from '../../tests/support/faulty-proxy.ts';
import { newPet } from '../../tests/support/stub-service.ts';
import { exactBody, petStoreFetcher } from './ts-rest.ts';

afterAll(closeProxies);

async function createTsRestClient(faults: Parameters<typeof storeBehindProxy>[0] = []) {
  const { baseUrl, apiKey, pets: stored, requests } = await storeBehindProxy(faults);
  const api = petStoreFetcher({ apiKey, retryDelayMs: 1, onDeprecation: false });
  const { pets } = initClient(v1.contract, { baseUrl, api });
  return { pets, stored, requests };
}

describe("ts-rest's client with petStoreFetcher", () => {
  test('adds, lists and fetches exact integers beyond 2^53, and refuses a rounded one', async () => {
    const { pets, stored } = await createTsRestClient();
    const created = await pets.createPet({ body: exactBody(newPet) });
    expect(created).toMatchObject({ status: 201, body: { id: 1, ...newPet } });
    expect(stored).toEqual([{ id: 1, ...newPet }]);
    expect(await pets.listPets({ query: { limit: 5 } })).toMatchObject({ status: 200, body: [newPet] });
    expect(await pets.getPet({ params: { petId: 1 } })).toMatchObject({ status: 200, body: newPet });
    expect(await pets.getPet({ params: { petId: 9007199254740993n } })).toMatchObject({ status: 404 });
    const rounded = pets.createPet({ body: { name: 'a', categoryId: 2 ** 53 } });
    await expect(rounded).rejects.toThrow('categoryId must be a safe integer');
  });

  test('retries createPet with one key and adds one pet', async () => {
    const loss = proxyResponses['responds 502 with an HTML page after it forwarded the request'];
    const { pets, stored, requests } = await createTsRestClient([loss, loss]);
    expect(await pets.createPet({ body: { name: 'a', categoryId: 1 } })).toMatchObject({ status: 201 });
    expect(stored).toHaveLength(1);
    const [key, ...others] = requests.map(({ headers }) => headers['idempotency-key']);
    expect([key, others]).toEqual([expect.any(String), [key, key]]);
  });

  test('sends the headers of the caller', async () => {
    const { pets, requests } = await createTsRestClient();
    const body = { name: 'a', categoryId: 1 };
    const extraHeaders = { traceparent: '00-1-2-01' };
    await pets.createPet({ headers: { 'idempotency-key': 'k-1' }, extraHeaders, body });
    await pets.createPet({ extraHeaders: { 'Idempotency-Key': 'k-2' }, body });
    expect(requests.map(({ headers }) => [headers['idempotency-key'], headers.traceparent])).toEqual([
      ['k-1', '00-1-2-01'],
      ['k-2', undefined],
    ]);
  });

  test.each([
    // In a web page, a base URL may be a path.
    ['/v1', '/v1/pets'],
    ['https://user:password@pets.example/v1', 'pets.example'],
  ])('calls the base URL %s, and names %s in an error, never a password', async (baseUrl, name) => {
    const fetch = vi.fn(async () => Response.json([]));
    const api = petStoreFetcher({ apiKey: 'pst_secret', fetch, retries: 0 });
    const { pets } = initClient(v1.contract, { baseUrl, api });
    expect(await pets.listPets({ query: {} })).toMatchObject({ status: 200, body: [] });
    expect(fetch).toHaveBeenCalledWith(`${baseUrl}/pets`, expect.anything());
    // In Node.js, a cause may have no message, and OpenSSL ends messages with a line break.
    fetch.mockRejectedValue(new TypeError('Failed to fetch\n', { cause: new Error() }));
    const message = `No response to listPets from ${name} (attempt 1): Failed to fetch`;
    await expect(pets.listPets({ query: {} })).rejects.toMatchObject({ message });
  });

  test('obeys the signal of the caller', async () => {
    const { pets, requests } = await createTsRestClient();
    const call = pets.listPets({ fetchOptions: { signal: AbortSignal.abort() } });
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(requests).toEqual([]);
  });
});
