import type { Check } from '../../check.ts';
import { expectError } from '../../http/error-response.ts';
import { expect, expectHeader, expectStatus, fail, type RawResponse } from '../../http/raw-response.ts';
import { newPet, petOf, post } from '../../pets.ts';
import type { Target } from '../../target.ts';

const SAME_BODY = 'decision: same key, same body';
const NOTATION = 'decision: notation of an Idempotency-Key';

/** A pet whose JSON has more than one notation, so that a response that is serialized anew differs. */
const pet = newPet({ name: 'Only once: Ñandú 🦤 </b>', categoryId: 9007199254740993n, status: 'sold' });

function postOnce(target: Target, key: string, newPet = pet): Promise<RawResponse> {
  return post(target, newPet, { 'Idempotency-Key': key });
}

function expectReplay(first: RawResponse, again: RawResponse): void {
  expectStatus(first, 201);
  expectStatus(again, 201);
  if (again.text !== first.text) fail(again, 'the first response again', `, ${first.text}`);
  expectHeader(again, 'Location', first.headers.get('location'));
  expectHeader(again, 'Idempotency-Replayed', 'true');
}

const invalidKeys = {
  'is empty': '',
  'has 256 characters': 'k'.repeat(256),
  'has a space inside': 'two words',
  'has spaces inside its quotes': '" spaced "',
  'is nothing but quotes': '""',
  'has a quote that is not closed': '"open',
};

export const idempotencyKey: Check[] = [
  {
    name: 'The same Idempotency-Key with the same body returns the first response again, byte for byte',
    cites: SAME_BODY,
    readOnly: false,
    run: async (target) => {
      const key = crypto.randomUUID();
      const first = await postOnce(target, key);
      expectReplay(first, await postOnce(target, key));
      expectReplay(first, await postOnce(target, key));
    },
  },
  {
    name: 'The first response to an Idempotency-Key is not marked as replayed',
    cites: SAME_BODY,
    readOnly: false,
    run: async (target) => {
      const first = await postOnce(target, crypto.randomUUID());
      petOf(first, 201);
      expect(first, first.headers.get('idempotency-replayed') !== 'true', 'no Idempotency-Replayed: true');
    },
  },
  {
    name: 'The same Idempotency-Key with another body returns 422',
    cites: 'decision: same key, other body',
    readOnly: false,
    run: async (target) => {
      const key = crypto.randomUUID();
      expectStatus(await postOnce(target, key), 201);
      const other = await postOnce(target, key, newPet({ name: 'Another body' }));
      expectError(other, 422, 'idempotency_key_reused');
    },
  },
  {
    name: 'The same Idempotency-Key with the same pet in another notation returns the first response again',
    cites: 'decision: what "same body" means',
    readOnly: false,
    run: async (target) => {
      const key = { 'Idempotency-Key': crypto.randomUUID() };
      const first = await post(target, '{"name":"Noted","categoryId":7}', key);
      expectReplay(
        first,
        await post(target, ' { "id": 1, "categoryId": 70e-1, "n\\u0061me": "Noted" }\n', key),
      );
    },
  },
  {
    name: 'Another Idempotency-Key with the same body adds another pet',
    cites: 'decision: repeating a POST',
    readOnly: false,
    run: async (target) => {
      const first = petOf(await postOnce(target, crypto.randomUUID()), 201);
      const response = await postOnce(target, crypto.randomUUID());
      const { id } = petOf(response, 201);
      expect(response, id !== first.id, 'another pet than that of the first request', id);
    },
  },
  {
    name: 'A quoted and a bare Idempotency-Key are the same key',
    cites: `${NOTATION}; RFC 9651 section 3.3.3`,
    readOnly: false,
    run: async (target) => {
      const key = crypto.randomUUID();
      expectReplay(await postOnce(target, `"${key}"`), await postOnce(target, key));
    },
  },
  {
    name: 'An Idempotency-Key may have 255 visible characters',
    cites: NOTATION,
    readOnly: false,
    run: async (target) =>
      expectStatus(await postOnce(target, (crypto.randomUUID() + '!~'.repeat(128)).slice(0, 255)), 201),
  },
  ...Object.entries(invalidKeys).map(
    ([what, key]): Check => ({
      name: `createPet returns 400 when the Idempotency-Key ${what}`,
      cites: NOTATION,
      readOnly: false,
      run: async (target) => expectError(await postOnce(target, key), 400, 'invalid_idempotency_key'),
    }),
  ),
  {
    name: 'Ten concurrent requests with one Idempotency-Key add one pet',
    cites: 'decision: the first request is still being processed',
    readOnly: false,
    run: async (target) => {
      const key = crypto.randomUUID();
      const responses = await Promise.all(Array.from({ length: 10 }, () => postOnce(target, key)));
      for (const response of responses.filter(({ status }) => status !== 201)) {
        expectError(response, 409, 'idempotency_key_in_flight');
        expect(response, /^\d+$/.test(response.headers.get('retry-after') ?? ''), 'Retry-After in seconds');
      }
      const again = await postOnce(target, key);
      // Where none of them succeeded, this request is the first and no replay.
      expectHeader(again, 'Idempotency-Replayed', 'true');
      for (const first of responses.filter(({ status }) => status === 201)) expectReplay(first, again);
    },
  },
];
