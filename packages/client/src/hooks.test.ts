import { expect, test } from 'vitest';
import { apiKey, type Reply, storeWithReply } from '../tests/support/stub-service.ts';
import type { RequestEvent, ResponseEvent, RetryEvent } from './index.ts';

test('the hooks are called for every attempt and never see the API key', async () => {
  const events: (RequestEvent | ResponseEvent)[] = [];
  const replies: Reply[] = [
    { status: 503, headers: { 'x-request-id': 'r-1' } },
    { headers: { 'x-request-id': 'r-2' }, body: '[]' },
  ];
  const start = performance.now();
  const { store, baseUrl } = await storeWithReply(() => replies.shift() ?? {}, {
    retries: 1,
    retryDelayMs: 0,
    onRequest: (request) => events.push({ ...request, headers: new Headers(request.headers) }),
    onResponse: (response) => events.push(response),
  });
  await store.listPets();
  const request = { operation: 'listPets', method: 'GET', url: `${baseUrl}/pets` };
  // A request over a socket takes more than a tenth of a millisecond.
  const longest = performance.now() - start;
  const durationMs = expect.toSatisfy((duration) => duration > 0.1 && duration < longest);
  expect(events).toMatchObject([
    { ...request, attempt: 1 },
    { operation: 'listPets', attempt: 1, status: 503, requestId: 'r-1', durationMs },
    { ...request, attempt: 2 },
    { operation: 'listPets', attempt: 2, status: 200, requestId: 'r-2', durationMs },
  ]);
  for (const { headers } of events) expect([...headers].join()).not.toContain(apiKey);
});

test('onRequest can add headers, but cannot replace the API key', async () => {
  const onRequest = ({ headers }: RequestEvent) => {
    headers.set('traceparent', '00-1-2-01');
    headers.set('authorization', 'Bearer other');
  };
  const { store, requests } = await storeWithReply({ body: '[]' }, { onRequest });
  await store.listPets();
  expect(requests[0]?.headers).toMatchObject({ traceparent: '00-1-2-01', authorization: `Bearer ${apiKey}` });
});

test.each([
  ['onRequest', { body: '[]' }],
  ['onResponse', { body: '[]' }],
  ['onError', { isCut: true }],
])('a call throws the error that its %s throws', async (hook, reply) => {
  const mistake = new Error('mistake');
  const throws = () => {
    throw mistake;
  };
  const { store } = await storeWithReply(reply, { [hook]: throws });
  await expect(store.listPets()).rejects.toBe(mistake);
  await expect(store.safe.listPets()).rejects.toBe(mistake);
});

test('onRetry is called before each retry with its delay and the status of the failed attempt', async () => {
  const events: RetryEvent[] = [];
  const replies: Reply[] = [
    { status: 503, headers: { 'retry-after': '0' } },
    { isCut: true },
    { body: '[]' },
  ];
  const { store } = await storeWithReply(() => replies.shift() ?? {}, {
    retries: 2,
    retryDelayMs: 0,
    onRetry: (event) => events.push(event),
  });
  await store.listPets();
  expect(events).toEqual([
    { operation: 'listPets', attempt: 1, delayMs: 0, status: 503 },
    { operation: 'listPets', attempt: 2, delayMs: 0, status: undefined },
  ]);
});
