import { expect, test } from 'vitest';
import { apiKey, storeAnswering } from '../tests/store.ts';
import { type IncomingResponse, NoAnswerError, type OutgoingRequest } from './index.ts';

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

test('after each request comes either its answer or the error that there is none', async () => {
  const events: unknown[] = [];
  let attempts = 0;
  const { store } = await storeAnswering(
    () => {
      attempts += 1;
      return attempts === 1 ? { cut: 'within the body', body: '[' } : { body: '[]' };
    },
    {
      retries: 1,
      retryDelayMs: 0,
      onRequest: ({ attempt }) => events.push(['request', attempt]),
      onResponse: ({ attempt }) => events.push(['response', attempt]),
      onNoAnswer: (missing) => events.push(missing),
    },
  );
  await store.listPets();
  await store.safe.listPets({}, { signal: AbortSignal.abort() });
  expect(events).toEqual([
    ['request', 1],
    { operation: 'listPets', attempt: 1, error: expect.any(NoAnswerError), milliseconds: expect.any(Number) },
    ['request', 2],
    ['response', 2],
  ]);
});

test('without a key there is no request, and no hook is called', async () => {
  const events: unknown[] = [];
  const keys = [() => Promise.reject(new Error('no such file')), () => new Promise<string>(() => {})];
  for (const apiKey of keys) {
    const { store, requests } = await storeAnswering(
      { body: '[]' },
      {
        apiKey,
        attemptTimeoutMs: 5,
        onRequest: (event) => events.push(event),
        onResponse: (event) => events.push(event),
        onNoAnswer: (event) => events.push(event),
      },
    );
    await expect(store.listPets()).rejects.toThrow();
    expect(requests).toEqual([]);
  }
  expect(events).toEqual([]);
});

test.each([
  ['onRequest', { body: '[]' }],
  ['onResponse', { body: '[]' }],
  ['onNoAnswer', { cut: 'before the answer' as const }],
])('what %s throws, the call throws', async (hook, reply) => {
  const mistake = new Error('mistake');
  const throws = () => {
    throw mistake;
  };
  const { store } = await storeAnswering(reply, { [hook]: throws });
  await expect(store.listPets()).rejects.toBe(mistake);
  await expect(store.safe.listPets()).rejects.toBe(mistake);
});
