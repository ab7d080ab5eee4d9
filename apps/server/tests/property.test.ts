import { encodeCursor, NewPet, Pet, Pets, parseJson } from '@petstore/contract';
import { engines } from '@petstore/test-support/engines';
import { assertWellFormed, type RawResponse, sendRaw } from '@petstore/test-support/raw-http';
import { chooseSeed } from '@petstore/test-support/seed';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningApp, startApp } from './support/app.ts';
import { writtenPets } from './support/new-pets.ts';
import { creation, requests, toBytes, type WireRequest } from './support/requests.ts';

const seed = chooseSeed('property');

describe.each(engines)('over %s', (engine) => {
  let app: RunningApp;

  beforeAll(async () => {
    app = await startApp({}, engine);
  });

  afterAll(() => app[Symbol.asyncDispose]());

  async function send(request: WireRequest): Promise<RawResponse> {
    const answers = await sendRaw(app.origin, toBytes(request), { method: request.method });
    const final = answers.filter(({ status }) => status >= 200);
    expect(final).toHaveLength(1);
    const [answer] = final;
    if (answer === undefined) throw new Error('No answer came');
    assertWellFormed(answer, request.method);
    return answer;
  }

  /** Sends a GET as a caller who knows the interface does. */
  async function read(target: string): Promise<string> {
    const { status, body } = await send({
      ...creation(app.apiKey, ''),
      method: 'GET',
      target,
    });
    expect(status, target).toBe(200);
    return body;
  }

  /** An animal that was accepted is what its body said, is where Location says, and stands in the listing. */
  async function expectUnchanged({ body, headers }: RawResponse, wished: NewPet): Promise<void> {
    const { id, ...rest } = Pet.parse(parseJson(body));
    expect(rest).toEqual(wished);
    expect(headers.get('location')).toBe(`/v1/pets/${id}`);
    expect(await read(`/v1/pets/${id}`)).toBe(body);
    const cursor = encodeCursor({ after: Number(id) - 1 });
    expect(await read(`/v1/pets?limit=1&cursor=${cursor}`)).toBe(`[${body}]`);
  }

  test('every animal that the contract takes is taken, however it is written, and comes back unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(writtenPets, fc.boolean(), async ({ pet, text }, isChunked) => {
        const answer = await send({ ...creation(app.apiKey, text), isChunked });
        expect(answer.status, answer.body).toBe(201);
        await expectUnchanged(answer, pet);
      }),
      { seed, numRuns: 1_500 },
    );
  }, 30_000);

  test('any request gets an answer of the contract: never a 5xx, never an error that is no Error', async () => {
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.constant(null).chain(() => requests(app.apiKey)),
        async (request) => {
          const answer = await send(request);
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
          if (answer.status === 201) {
            await expectUnchanged(answer, NewPet.parse(parseJson(Buffer.from(request.body).toString())));
          }
          const isListing =
            answer.status === 200 && request.method === 'GET' && /^\/v1\/pets(\?|$)/.test(request.target);
          if (isListing) Pets.parse(parseJson(answer.body));
        },
      ),
      { seed, numRuns: 5_000 },
    );
    // The requests themselves: they reached what they were made for.
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 400, 401, 404, 405, 415]));
  }, 60_000);
});
