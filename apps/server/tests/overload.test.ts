import { setTimeout as sleep } from 'node:timers/promises';
import { ErrorBody, Pets } from '@petstore/contract';
import { temporaryFolder } from '@petstore/test-support/files';
import { Load, quantile, type TimedResponse } from '@petstore/test-support/load';
import { FIXED_KEY, startServer } from '@petstore/test-support/server-process';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { startApp } from './support/app.ts';

const CONNECTIONS = 1_000;
const PETS = 100;

/**
 * Requests for a page that the client has already, by a URL that the server has not cached: all the work
 * for the server, and almost none for the client.
 */
function requestOf(etag: string): () => string {
  const fields = `Host: a\r\nAuthorization: Bearer ${FIXED_KEY}\r\nIf-None-Match: ${etag}\r\n\r\n`;
  let number = 0;
  return () => `GET /v1/pets?limit=100&number=${++number} HTTP/1.1\r\n${fields}`;
}

const pet = (name: string) => ({
  method: 'POST',
  headers: { authorization: `Bearer ${FIXED_KEY}`, 'content-type': 'application/json' },
  body: JSON.stringify({ name, categoryId: 1 }),
});

const median = (measured: TimedResponse[]) =>
  quantile(
    measured.map(({ latencyMs }) => latencyMs),
    0.5,
  );

function expectRefusal(text: string): void {
  expect(text).toMatch(/^HTTP\/1\.1 503 /);
  expect(text).toMatch(/\r\nRetry-After: [1-9]\d*\r\n/);
  expect(ErrorBody.parse(JSON.parse(text.slice(text.indexOf('\r\n\r\n'))))).toMatchObject({
    code: 'overloaded',
    status: 503,
  });
}

test('at twice the capacity some requests get 503 early, and the others keep their latency', async () => {
  await using folder = await temporaryFolder();
  const shedding = { DATABASE_URL: `sqlite:${folder.file('one.db')}`, MAX_QUEUE_DELAY_MS: '20' };
  const enduring = { DATABASE_URL: `sqlite:${folder.file('other.db')}`, MAX_QUEUE_DELAY_MS: '60000' };

  const one = await underLoad(shedding);
  const other = await underLoad(enduring);

  const accepted = one.measured.filter(({ status }) => status === 304);
  const refused = one.measured.filter(({ status }) => status !== 304);
  for (const { text } of refused) expectRefusal(text);
  console.info(
    `capacity ${Math.round(one.capacity)}/s; at twice of it: ${accepted.length} accepted in ${Math.round(median(accepted))} ms, ` +
      `${refused.length} refused in ${Math.round(median(refused))} ms; ` +
      `without a threshold all ${other.measured.length} in ${Math.round(median(other.measured))} ms (medians)`,
  );
  expect(other.measured.every(({ status }) => status === 304)).toBe(true);
  expect(refused.length).toBeGreaterThan(one.measured.length / 20);
  expect(accepted.length).toBeGreaterThan(one.measured.length / 50);
  expect(median(accepted) * 2).toBeLessThan(median(other.measured));
  expect(median(refused) * 2).toBeLessThan(median(other.measured));

  /** Finds the capacity of a server, and sends twice as many requests. */
  async function underLoad(environment: Record<string, string>) {
    await using server = await startServer(environment, { isQuiet: true });
    const url = `${server.origin}/v1/pets`;
    for (let index = 0; index < PETS; index += 1) await fetch(url, pet(`pet ${index}`.padEnd(300)));
    const headers = { authorization: `Bearer ${FIXED_KEY}` };
    const page = await fetch(`${url}?limit=100`, { headers });
    const request = requestOf(page.headers.get('etag') ?? '');

    const capacity = await findCapacity(server.origin, request);
    await using load = await Load.open(server.origin, { request, connections: CONNECTIONS });
    const measured = await load.sendAtRate(capacity * 2, 1_500);
    await sleep(100);
    const afterwards = [];
    for (let index = 0; index < 50; index += 1) afterwards.push(await load.send());
    expect(afterwards.map(({ status }) => status)).toEqual(afterwards.map(() => 304));
    return { capacity, measured };
  }

  async function findCapacity(origin: string, request: () => string) {
    await using load = await Load.open(origin, { request, connections: 16 });
    await load.saturate(500);
    return (await load.saturate(1_000)).length;
  }
}, 60_000);

test('creations beyond MAX_PENDING_CREATIONS get 503 at once, and the others get 201', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('petstore.db');
  await using app = await startApp({ DATABASE_URL: `sqlite:${file}`, MAX_PENDING_CREATIONS: '5' });
  const send = (index: number) =>
    app.request('/pets', { method: 'POST', body: JSON.stringify({ name: `${index}`, categoryId: 1 }) });
  // While another process holds the lock, creations wait.
  const other = new BetterSqlite3(file);
  other.exec('begin immediate');
  const responses = Array.from({ length: 50 }, (_, index) => send(index));
  const refused: Response[] = [];
  for (const pending of responses) {
    void pending.then((response) => {
      if (response.status === 503) refused.push(response);
    });
  }
  // If these waited for the lock, the others would get 503 with them.
  await expect.poll(() => refused.length).toBeGreaterThanOrEqual(40);
  other.exec('commit');
  other.close();

  const statuses = (await Promise.all(responses)).map(({ status }) => status);
  const created = statuses.filter((status) => status === 201).length;
  expect(created).toBeGreaterThanOrEqual(5);
  expect(created + refused.length).toBe(50);
  for (const response of refused) {
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.json()).toMatchObject({ code: 'overloaded', status: 503 });
  }
  expect(Pets.parse(await (await app.request('/pets?limit=100')).json())).toHaveLength(created);
  expect((await send(50)).status).toBe(201);
});
