import { type Check, defineChecks, each } from '../check.ts';
import { expect, expectError, expectHeader, expectRetryAfter, type RawResponse } from '../http/response.ts';
import type { Target } from '../http/target.ts';
import type { NewPet } from '../interface.ts';
import { expectCount } from '../pets/pages.ts';
import { examplePet, newPet, optional, petOf, post, uniquePet } from '../pets/pets.ts';
import { refusals } from '../samples/creation.ts';
import { oneOfEachCode, sendSample } from '../samples/sample.ts';

/** The JSON of this pet has several notations, so a response that is serialized again may differ. */
const pet = newPet({ name: 'Only once: Ñandú 🦤 </b>', categoryId: 9007199254740993n, status: 'sold' });

const postWithKey = (target: Target, key: string, sent = pet) =>
  post(target, sent, { 'Idempotency-Key': key });

function expectReplay(first: RawResponse, again: RawResponse): void {
  petOf(again, 201);
  expect(again, again.text === first.text, 'the first response again, byte for byte');
  expectHeader(again, 'Location', first.headers.get('location'));
  expectHeader(again, 'Idempotency-Replayed', 'true');
}

/** Pets that differ from the example in one property each. No property of the example has its default. */
const otherPets: NewPet[] = [
  { ...examplePet, name: `${examplePet.name} again` },
  { ...examplePet, categoryId: BigInt(examplePet.categoryId) + 1n },
  ...optional.map((name) => ({ ...examplePet, [name]: undefined })),
];

/** Makes another key of a key that ends in `~`. */
const otherKeys: Record<string, (key: string) => string> = {
  'differ in case': (key) => key.toUpperCase(),
  'have 255 characters and differ in the last one': (key) => key.replace(/~$/, '!'),
};

/** @throws ConformanceError unless the first request with the key is still being processed */
const expectInFlight = (response: RawResponse) => {
  expectError(response, 409, 'idempotency_key_in_flight');
  expectRetryAfter(response);
};

export const idempotencyKey: Check[] = [
  ...defineChecks('decision: same key, same body', {
    'The same Idempotency-Key and body return the first response again, byte for byte': async (target) => {
      const key = crypto.randomUUID();
      const once = { ...pet, name: `${pet.name} ${key}` };
      const first = await postWithKey(target, key, once);
      expect(first, first.headers.get('idempotency-replayed') !== 'true', 'no Idempotency-Replayed: true');
      for (const _ of [1, 2]) expectReplay(first, await postWithKey(target, key, once));
      await expectCount(target, once, 1);
    },
  }),
  ...defineChecks('decision: same key, other body', {
    'The same Idempotency-Key with a pet that differs in one property returns 422': async (target) => {
      const key = crypto.randomUUID();
      petOf(await postWithKey(target, key, examplePet), 201);
      for (const other of otherPets) {
        expectError(await postWithKey(target, key, other), 422, 'idempotency_key_reused');
      }
    },
    'A refused request leaves its Idempotency-Key to the next request': async (target) => {
      const others = refusals.filter(({ codes: [code] }) => !code?.includes('idempotency_key'));
      for (const sample of oneOfEachCode(others)) {
        const key = crypto.randomUUID();
        await sendSample(target, sample, { headers: { 'Idempotency-Key': key } });
        petOf(await postWithKey(target, key), 201);
      }
    },
    'A refused body leaves the first response to its Idempotency-Key in place': async (target) => {
      const key = crypto.randomUUID();
      const first = await postWithKey(target, key);
      expectError(await postWithKey(target, key, uniquePet()), 422, 'idempotency_key_reused');
      expectReplay(first, await postWithKey(target, key));
    },
    'Of concurrent bodies with one Idempotency-Key, one is added, others are refused': async (target) => {
      const key = crypto.randomUUID();
      const send = async (sent: NewPet) => ({ sent, response: await postWithKey(target, key, sent) });
      const requests = await Promise.all(Array.from({ length: 5 }, uniquePet).map(send));
      const added = requests.filter(({ response }) => response.status === 201).length;
      for (const { sent, response } of requests) {
        if (response.status === 409) expectInFlight(response);
        else if (response.status !== 201) expectError(response, 422, 'idempotency_key_reused');
        await expectCount(target, sent, response.status === 201 ? 1 : 0);
        expect(response, added === 1, 'one pet for one Idempotency-Key', added);
      }
    },
  }),
  ...defineChecks('decision: what "same body" means', {
    'The same pet in another notation returns the first response to its Idempotency-Key': async (target) => {
      const key = { 'Idempotency-Key': crypto.randomUUID() };
      const first = await post(target, '{"name":"Noted","categoryId":7}', key);
      const again = ' { "ignored": 1, "categoryId": 70e-1, "n\\u0061me": "Noted" }\n';
      expectReplay(first, await post(target, again, key));
    },
  }),
  ...defineChecks('decision: notation of an Idempotency-Key', {
    ...each('Idempotency-Keys that … are different keys', otherKeys, async (target, otherOf) => {
      // `!` and `~` are the first and the last visible ASCII character.
      const key = `case-${crypto.randomUUID()}`.padEnd(254, '!').concat('~');
      const first = petOf(await postWithKey(target, key), 201);
      const response = await postWithKey(target, otherOf(key));
      expect(response, petOf(response, 201).id !== first.id, 'another pet than the first request added');
    }),
    'A quoted and a bare Idempotency-Key are the same key': async (target) => {
      const key = crypto.randomUUID();
      expectReplay(await postWithKey(target, `"${key}"`), await postWithKey(target, key));
    },
  }),
  ...defineChecks('decision: the first request is still being processed', {
    'Ten concurrent requests with one Idempotency-Key add one pet': async (target) => {
      const key = crypto.randomUUID();
      const sent = uniquePet();
      const responses = await Promise.all(Array.from({ length: 10 }, () => postWithKey(target, key, sent)));
      for (const response of responses) if (response.status !== 201) expectInFlight(response);
      const again = await postWithKey(target, key, sent);
      // This fails if all ten were refused: then this request is the first one.
      expectHeader(again, 'Idempotency-Replayed', 'true');
      for (const first of responses.filter(({ status }) => status === 201)) expectReplay(first, again);
      await expectCount(target, sent, 1);
    },
  }),
];
