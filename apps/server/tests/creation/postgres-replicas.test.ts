import { checks } from '@petstore/conformance';
import { engines, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { startProxy } from '@petstore/test-support/proxies/proxy';
import { fetchWithKey } from '@petstore/test-support/servers/fetch-with-key';
import { FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import { expect, test } from 'vitest';

test.runIf(engines.includes('postgres'))(
  'three servers behind a round-robin proxy conform to the contract while all add pets',
  async () => {
    await using database = await temporaryDatabase('postgres');
    await using cleanup = new AsyncDisposableStack();
    const replicas = await Promise.all([1, 2, 3].map(() => startServer({ DATABASE_URL: database.url })));
    for (const replica of replicas) cleanup.use(replica);
    await using proxy = await startProxy(...replicas.map(({ origin }) => origin));
    const target = { baseUrl: `${proxy.origin}/v1`, apiKey: FIXED_KEY, fetch: fetchOnNewConnection };
    const failures: string[] = [];
    for (const check of checks) {
      const additions = replicas.map(({ baseUrl }) =>
        fetchWithKey(baseUrl, FIXED_KEY)('/pets', { method: 'POST', body: '{"name":"a","categoryId":1}' }),
      );
      await check.run(target).catch((error) => failures.push(`${check.name}: ${error}`));
      for (const { status } of await Promise.all(additions)) expect(status).toBe(201);
    }
    expect(failures).toEqual([]);
  },
);

/** A `fetch` that opens a connection for each request, so that the proxy chooses the next server. */
function fetchOnNewConnection(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('connection', 'close');
  return fetch(url, { ...init, headers });
}
