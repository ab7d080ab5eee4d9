import { newPet, petOf, post } from '../animals.ts';
import { type Answer, expect, expectHeader, expectStatus } from '../answer.ts';
import type { Check } from '../check.ts';
import { expectError } from '../error-answer.ts';
import { assert } from '../nonconformity.ts';
import type { Target } from '../target.ts';

const SAME_BODY = 'decision: same key, same body';
const NOTATION = 'decision: notation of an Idempotency-Key';

/** An animal whose JSON has more than one notation, so that an answer that is written anew differs. */
const animal = newPet({ name: 'Only once: Ñandú 🦤 </b>', categoryId: 9007199254740993n, status: 'sold' });

function postOnce(target: Target, key: string, pet = animal): Promise<Answer> {
  return post(target, pet, { 'Idempotency-Key': key });
}

function expectReplay(first: Answer, again: Answer): void {
  expectStatus(first, 201);
  expectStatus(again, 201);
  expect(again, again.text === first.text, `the first answer again, ${first.text}`);
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
    name: 'The same Idempotency-Key with the same body gives the first answer again, byte for byte',
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
    name: 'The first answer to an Idempotency-Key does not say that it is a repetition',
    cites: SAME_BODY,
    readOnly: false,
    run: async (target) => {
      const first = await postOnce(target, crypto.randomUUID());
      petOf(first, 201);
      expect(first, first.headers.get('idempotency-replayed') !== 'true', 'no Idempotency-Replayed: true');
    },
  },
  {
    name: 'The same Idempotency-Key with another body is 422',
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
    name: 'The same Idempotency-Key with the same animal in another notation gives the first answer again',
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
    name: 'Another Idempotency-Key with the same body adds another animal',
    cites: 'decision: repeating a POST',
    readOnly: false,
    run: async (target) => {
      const first = petOf(await postOnce(target, crypto.randomUUID()), 201);
      const second = petOf(await postOnce(target, crypto.randomUUID()), 201);
      assert(first.id !== second.id, `expected two animals, but both have the id ${first.id}`);
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
    run: async (target) => {
      expectStatus(await postOnce(target, (crypto.randomUUID() + '!~'.repeat(128)).slice(0, 255)), 201);
    },
  },
  ...Object.entries(invalidKeys).map(
    ([what, key]): Check => ({
      name: `An Idempotency-Key that ${what} is 400`,
      cites: NOTATION,
      readOnly: false,
      run: async (target) => {
        expectError(await postOnce(target, key), 400, 'invalid_idempotency_key');
      },
    }),
  ),
  {
    name: 'Ten requests at once with one Idempotency-Key add one animal',
    cites: 'decision: the first request is still being processed',
    readOnly: false,
    run: async (target) => {
      const key = crypto.randomUUID();
      const answers = await Promise.all(Array.from({ length: 10 }, () => postOnce(target, key)));
      for (const answer of answers.filter(({ status }) => status !== 201)) {
        expectError(answer, 409, 'idempotency_key_in_flight');
        expect(answer, /^\d+$/.test(answer.headers.get('retry-after') ?? ''), 'Retry-After in seconds');
      }
      const [first, ...others] = answers.filter(({ status }) => status === 201);
      assert(first !== undefined, 'expected at least one of ten requests at once to succeed, but none did');
      for (const other of others) expect(other, other.text === first.text, `the same animal, ${first.text}`);
      expectReplay(first, await postOnce(target, key));
    },
  },
];
