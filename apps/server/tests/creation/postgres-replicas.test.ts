import { checks } from '@petstore/conformance';
import { engines, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { readPetsByName } from '@petstore/test-support/pets-by-name';
import { type ByteProxy, startProxy } from '@petstore/test-support/proxies/proxy';
import { fetchWithKey } from '@petstore/test-support/servers/fetch-with-key';
import { FIXED_KEY, type ServerProcess, startServer } from '@petstore/test-support/servers/server-process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

describe.runIf(engines.includes('postgres'))('with several servers on one PostgreSQL', () => {
  const cleanup = new AsyncDisposableStack();
  let replicas: ServerProcess[];
  let proxy: ByteProxy;

  beforeAll(async () => {
    const database = cleanup.use(await temporaryDatabase('postgres'));
    replicas = await Promise.all([1, 2, 3].map(() => startServer({ DATABASE_URL: database.url })));
    for (const replica of replicas) cleanup.use(replica);
    proxy = cleanup.use(await startProxy(...replicas.map(({ origin }) => origin)));
  });

  afterAll(() => cleanup.disposeAsync());

  test('three servers behind a round-robin proxy conform to the contract while all add pets', async () => {
    const target = { baseUrl: `${proxy.origin}/v1`, apiKey: FIXED_KEY, fetch: fetchOnNewConnection };
    const failures: string[] = [];
    for (const check of checks) {
      const additions = replicas.map(({ baseUrl }) => create(baseUrl, 'bystander', crypto.randomUUID()));
      await check.run(target).catch((error) => failures.push(`${check.name}: ${error}`));
      for (const { status } of await Promise.all(additions)) expect(status).toBe(201);
    }
    expect(failures).toEqual([]);
  });

  test('three servers that get the same Idempotency-Key at once add one pet', async () => {
    for (let round = 0; round < 20; round += 1) {
      const responses = await Promise.all(
        [...replicas, ...replicas, ...replicas].map(({ baseUrl }) =>
          create(baseUrl, 'twin', `round-${round}`),
        ),
      );
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
      expect(new Set(await Promise.all(responses.map((response) => response.text()))).size).toBe(1);
    }
    expect((await readPetsByName(`${proxy.origin}/v1`)).get('twin')).toHaveLength(20);
  });
});

/** A `fetch` that opens a connection for each request, so that the proxy chooses the next server. */
function fetchOnNewConnection(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('connection', 'close');
  return fetch(url, { ...init, headers });
}

function create(baseUrl: string, name: string, idempotencyKey: string): Promise<Response> {
  const body = JSON.stringify({ name, categoryId: 1 });
  const headers = { 'idempotency-key': idempotencyKey };
  return fetchWithKey(baseUrl, FIXED_KEY)('/pets', { method: 'POST', body, headers });
}
