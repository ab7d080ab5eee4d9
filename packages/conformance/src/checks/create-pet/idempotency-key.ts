import { type Check, checks, each } from '../../check.ts';
import {
  expect,
  expectError,
  expectHeader,
  expectStatus,
  fail,
  type RawResponse,
} from '../../http/response.ts';
import type { NewPet } from '../../interface.ts';
import { expectCount } from '../../pages.ts';
import { defaultOf, examplePet, newPet, optional, petOf, post, uniquePet } from '../../pets.ts';
import type { Target } from '../../target.ts';

/** The JSON of this pet has several notations, so a response that is serialized again may differ. */
const pet = newPet({ name: 'Only once: Ñandú 🦤 </b>', categoryId: 9007199254740993n, status: 'sold' });

const postOnce = (target: Target, key: string, newPet = pet) =>
  post(target, newPet, { 'Idempotency-Key': key });

function expectReplay(first: RawResponse, again: RawResponse): void {
  expectStatus(first, 201);
  expectStatus(again, 201);
  if (again.text !== first.text) fail(again, 'the first response again', `, ${first.text}`);
  expectHeader(again, 'Location', first.headers.get('location'));
  expectHeader(again, 'Idempotency-Replayed', 'true');
}

async function expectTwoPets(target: Target, key: string, other: string): Promise<void> {
  const first = petOf(await postOnce(target, key), 201);
  const response = await postOnce(target, other);
  const { id } = petOf(response, 201);
  expect(response, id !== first.id, 'another pet than that of the first request', id);
}

/** Pets that differ from the example in one property each. */
const otherPets: NewPet[] = [
  { ...examplePet, name: `${examplePet.name} again` },
  { ...examplePet, categoryId: BigInt(examplePet.categoryId) + 1n },
  ...optional
    .filter((name) => examplePet[name] !== defaultOf(name))
    .map((name) => ({ ...examplePet, [name]: undefined })),
];

const invalidKeys = {
  'is empty': '',
  'has 256 characters': 'k'.repeat(256),
  'has a space inside': 'two words',
  'has spaces inside its quotes': '" spaced "',
  'is nothing but quotes': '""',
  'has a quote that is not closed': '"open',
};

export const idempotencyKey: Check[] = [
  ...checks('decision: same key, same body', {
    'The same Idempotency-Key with the same body returns the first response again, byte for byte': async (
      target,
    ) => {
      const key = crypto.randomUUID();
      const first = await postOnce(target, key);
      expectReplay(first, await postOnce(target, key));
      expectReplay(first, await postOnce(target, key));
    },
    'The same Idempotency-Key adds one pet, and exactly one': async (target) => {
      const key = crypto.randomUUID();
      const pet = uniquePet();
      for (let repetition = 0; repetition < 3; repetition += 1) await postOnce(target, key, pet);
      await expectCount(target, pet, 1);
    },
    'The first response to an Idempotency-Key is not marked as replayed': async (target) => {
      const first = await postOnce(target, crypto.randomUUID());
      petOf(first, 201);
      expect(first, first.headers.get('idempotency-replayed') !== 'true', 'no Idempotency-Replayed: true');
    },
  }),
  ...checks('decision: same key, other body', {
    'The same Idempotency-Key with another body returns 422 and adds no pet': async (target) => {
      const key = crypto.randomUUID();
      expectStatus(await postOnce(target, key), 201);
      const other = uniquePet();
      expectError(await postOnce(target, key, other), 422, 'idempotency_key_reused');
      await expectCount(target, other, 0);
    },
    'The same Idempotency-Key with a pet that differs in one property returns 422': async (target) => {
      const key = crypto.randomUUID();
      expectStatus(await postOnce(target, key, examplePet), 201);
      for (const other of otherPets) {
        expectError(await postOnce(target, key, other), 422, 'idempotency_key_reused');
      }
    },
  }),
  ...checks('decision: what "same body" means', {
    'The same Idempotency-Key with the same pet in another notation returns the first response again': async (
      target,
    ) => {
      const key = { 'Idempotency-Key': crypto.randomUUID() };
      const first = await post(target, '{"name":"Noted","categoryId":7}', key);
      const again = ' { "id": 1, "categoryId": 70e-1, "n\\u0061me": "Noted" }\n';
      expectReplay(first, await post(target, again, key));
    },
  }),
  ...checks('decision: repeating a POST', {
    'Another Idempotency-Key with the same body adds another pet': (target) =>
      expectTwoPets(target, crypto.randomUUID(), crypto.randomUUID()),
  }),
  ...checks('decision: notation of an Idempotency-Key', {
    'Idempotency-Keys that differ in case are different keys': (target) => {
      const key = `case-${crypto.randomUUID()}`;
      return expectTwoPets(target, key, key.toUpperCase());
    },
    'A quoted and a bare Idempotency-Key are the same key': async (target) => {
      const key = crypto.randomUUID();
      expectReplay(await postOnce(target, `"${key}"`), await postOnce(target, key));
    },
    'Idempotency-Keys of 255 visible characters that differ in the last one are different keys': (target) => {
      const key = (crypto.randomUUID() + '!~'.repeat(128)).slice(0, 254);
      return expectTwoPets(target, `${key}a`, `${key}b`);
    },
    ...each('createPet returns 400 when the Idempotency-Key …', invalidKeys, async (target, key) =>
      expectError(await postOnce(target, key), 400, 'invalid_idempotency_key'),
    ),
  }),
  ...checks('decision: the first request is still being processed', {
    'Ten concurrent requests with one Idempotency-Key add one pet': async (target) => {
      const key = crypto.randomUUID();
      const pet = uniquePet();
      const responses = await Promise.all(Array.from({ length: 10 }, () => postOnce(target, key, pet)));
      for (const response of responses.filter(({ status }) => status !== 201)) {
        expectError(response, 409, 'idempotency_key_in_flight');
        expect(response, /^\d+$/.test(response.headers.get('retry-after') ?? ''), 'Retry-After in seconds');
      }
      const again = await postOnce(target, key, pet);
      // This fails if all ten were refused: then this request is the first one.
      expectHeader(again, 'Idempotency-Replayed', 'true');
      for (const first of responses.filter(({ status }) => status === 201)) expectReplay(first, again);
      await expectCount(target, pet, 1);
    },
  }),
];
