import { expect, test } from 'vitest';
import { apiKey, storeAnswering } from '../tests/store.ts';
import type { IncomingResponse, OutgoingRequest } from './index.ts';

test('the hooks see every attempt, its request before and its answer after, and never the key', async () => {
  const events: (OutgoingRequest | IncomingResponse)[] = [];
  let answers = 0;
  const reply = () => ({
    status: ++answers === 1 ? 503 : 200,
    headers: { 'x-request-id': `r-${answers}` },
    body: '[]',
  });
  const { store, baseUrl } = await storeAnswering(reply, {
    retries: 1,
    retryDelayMs: 0,
    onRequest: (request) => events.push({ ...request, headers: new Headers(request.headers) }),
    onResponse: (response) => events.push(response),
  });
  await store.listPets();
  const request = { operation: 'listPets', method: 'GET', url: `${baseUrl}/pets` };
  const milliseconds = expect.any(Number);
  expect(events).toMatchObject([
    { ...request, attempt: 1 },
    { operation: 'listPets', attempt: 1, status: 503, requestId: 'r-1', milliseconds },
    { ...request, attempt: 2 },
    { operation: 'listPets', attempt: 2, status: 200, requestId: 'r-2', milliseconds },
  ]);
  for (const { headers } of events) expect([...headers].join()).not.toContain(apiKey);
});

test('a header field that a hook adds is sent, but none in place of the key', async () => {
  const { store, requests } = await storeAnswering(
    { body: '[]' },
    {
      onRequest: ({ headers }) => {
        headers.set('traceparent', '00-1-2-01');
        headers.set('authorization', 'Bearer other');
      },
    },
  );
  await store.listPets();
  expect(requests[0]?.headers).toMatchObject({ traceparent: '00-1-2-01', authorization: `Bearer ${apiKey}` });
});

test.each(['onRequest', 'onResponse'])('what %s throws, the call throws', async (hook) => {
  const mistake = new Error('mistake');
  const { store } = await storeAnswering(
    { body: '[]' },
    {
      [hook]: () => {
        throw mistake;
      },
    },
  );
  await expect(store.listPets()).rejects.toBe(mistake);
});
