import { inspect } from 'node:util';
import { expect, test, vi } from 'vitest';
import { apiKey, noResponse, type Reply, storeWithReply } from '../tests/support/stub-service.ts';
import { NetworkError, type RequestEvent } from './index.ts';

test('the hooks are called for every attempt and every retry, and never see the API key', async () => {
  const events: object[] = [];
  const replies: Reply[] = [
    { status: 503, headers: { 'retry-after': '0', 'x-request-id': 'r-1' } },
    noResponse,
    { headers: { 'x-request-id': 'r-2' }, body: '[]' },
  ];
  const start = performance.now();
  const see = (event: object) => events.push(event);
  const hooks = { onRequest: see, onResponse: see, onError: see, onRetry: see };
  const options = { retries: 2, retryDelayMs: 0, ...hooks };
  const { store, baseUrl } = await storeWithReply(() => replies.shift() ?? {}, options);
  await store.listPets();
  const longest = performance.now() - start;
  // A request over a socket takes more than a tenth of a millisecond.
  const durationMs = expect.toSatisfy((duration) => duration > 0.1 && duration < longest);
  const [first, second, third] = [1, 2, 3].map((attempt) => ({ operation: 'listPets', attempt }));
  const request = { method: 'GET', url: `${baseUrl}/pets`, headers: expect.any(Headers) };
  expect(events).toEqual([
    { ...first, ...request },
    { ...first, ...request, status: 503, requestId: 'r-1', durationMs },
    { ...first, delayMs: 0, status: 503 },
    { ...second, ...request },
    { ...second, ...request, headers: undefined, error: expect.any(NetworkError), durationMs },
    { ...second, delayMs: 0, status: undefined },
    { ...third, ...request },
    { ...third, ...request, status: 200, requestId: 'r-2', durationMs },
  ]);
  expect(inspect(events, { depth: null })).not.toContain(apiKey);
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
  ['onError', noResponse],
])('a call throws the error that its %s throws', async (hook, reply) => {
  const mistake = new Error('mistake');
  const { store } = await storeWithReply(reply, { [hook]: vi.fn().mockThrow(mistake) });
  await expect(store.listPets()).rejects.toBe(mistake);
  await expect(store.safe.listPets()).rejects.toBe(mistake);
});
