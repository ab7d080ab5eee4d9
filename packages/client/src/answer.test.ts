import { describe, expect, test } from 'vitest';
import type { Reply } from '../tests/service.ts';
import { failure, storeAnswering } from '../tests/store.ts';

const pet = { id: 1, name: 'Ñandú 🦤', categoryId: 7 };

test('an answer that asks to wait longer than is allowed says how long', async () => {
  const { store } = await storeAnswering({
    status: 503,
    headers: { 'retry-after': '120' },
    body: '{"code":"overloaded","message":"Later.","status":503}',
  });
  expect(await failure(store.listPets())).toMatchObject({ code: 'overloaded', retryAfterMs: 120_000 });
  const { store: proxied } = await storeAnswering({ status: 502, headers: { 'retry-after': '90' } });
  expect(await failure(proxied.listPets())).toMatchObject({
    code: 'unexpected_answer',
    retryAfterMs: 90_000,
  });
});

describe("an answer that is not the contract's", () => {
  const json = JSON.stringify;
  const html = { 'content-type': 'text/html' };
  const replies: [string, Reply][] = [
    ["a proxy's HTML page", { status: 502, headers: html, body: '<h1>Bad gateway</h1>' }],
    ['an HTML page with status 200', { headers: html, body: '<!doctype html>' }],
    ['an HTML page with a status of the contract', { status: 503, headers: html, body: '<h1>Sorry</h1>' }],
    ['an empty body', { body: '' }],
    ['an empty error', { status: 500 }],
    ['half a body', { body: '{"id":1,"na' }],
    ['a status that there is not', { status: 202, body: json(pet) }],
    ['an Error with status 200', { body: json({ code: 'internal_error', message: 'Sorry.', status: 500 }) }],
    ['an error in another notation', { status: 404, body: json({ error: 'not found' }) }],
    ['null', { body: 'null' }],
    ['a list in place of an animal', { body: json([pet]) }],
    ['an animal without an id', { body: json({ ...pet, id: undefined }) }],
    ['an animal with a text as id', { body: json({ ...pet, id: '1' }) }],
    ['an animal with a fraction as id', { body: '{"id":9007199254740992.5,"name":"a","categoryId":1}' }],
    ['an animal without a name', { body: json({ ...pet, name: undefined }) }],
    ['an animal without a category', { body: json({ ...pet, categoryId: null }) }],
    ['an animal whose status is null', { body: json({ ...pet, status: null }) }],
    ['an animal whose status is a number', { body: json({ ...pet, status: 1 }) }],
    ['an Error without a message', { status: 404, body: json({ code: 'pet_not_found', status: 404 }) }],
    [
      'an Error whose status is a fraction',
      { status: 404, body: json({ code: 'a', message: 'b', status: 0.5 }) },
    ],
  ];

  test.each(replies)('%s throws a PetStoreError that says so', async (_what, reply) => {
    const { store } = await storeAnswering({
      ...reply,
      headers: { 'x-request-id': 'r-2', ...reply.headers },
    });
    const safe = await store.safe.getPet(1);
    expect(safe).toMatchObject({ status: 'failed', requestId: 'r-2' });
    for (const error of [await failure(store.getPet(1)), 'error' in safe && safe.error]) {
      expect(error).toMatchObject({
        name: 'UnexpectedAnswerError',
        code: 'unexpected_answer',
        status: reply.status ?? 200,
        requestId: 'r-2',
        retryable: [500, 502, 503].includes(reply.status ?? 200),
        message: expect.stringContaining('getPet'),
      });
      expect(error).not.toHaveProperty('cause');
    }
  });

  test.each([
    ['', 'The answer to listPets has no body (status 200, application/json)'],
    ['<h1>', 'The answer to listPets is no JSON that can be read (status 200, application/json)'],
    ['{}', "The answer to listPets is none of the pet store's (status 200, application/json)"],
  ])('the body %o is told as what it is', async (body, message) => {
    const { store } = await storeAnswering({ body });
    expect(await failure(store.listPets())).toMatchObject({ message });
  });

  test.each(['{}', '{"pets":[]}', '[1]', '[null]', '"[]"'])('the listing %s is no success', async (body) => {
    const { store } = await storeAnswering({ body });
    expect(await failure(store.listPets())).toMatchObject({ code: 'unexpected_answer' });
  });
});

test.each(['before the answer', 'within the body'] as const)(
  'a connection cut %s throws a PetStoreError with its cause',
  async (cut) => {
    const { store } = await storeAnswering({ cut, body: '[' });
    const error = await failure(store.listPets());
    expect(error).toMatchObject({ name: 'NoAnswerError', code: 'no_answer', status: undefined });
    expect(error).toMatchObject({ retryable: true, cause: expect.any(Error) });
    expect(await store.safe.listPets()).toMatchObject({ status: 'failed', error: { code: 'no_answer' } });
  },
);
