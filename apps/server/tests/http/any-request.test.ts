import { encodeCursor, NewPet, Pet, Pets, parseJson, type Version, v1 } from '@petstore/contract';
import { engines } from '@petstore/test-support/databases/engines';
import { chooseSeed } from '@petstore/test-support/seed';
import { assertWellFormed, type RawResponse, sendRaw } from '@petstore/test-support/sockets/raw-http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningApp, startApp } from '#support/app';
import { writtenPets } from '#support/new-pets';
import { creation, requests, toBytes, type WireRequest } from '#support/requests';

const seed = chooseSeed('property');

const { contract }: Version = v1;
const operations = Object.values(contract)
  .flatMap((resource) => Object.values(resource))
  .map(({ method, path, responses }) => ({
    method,
    pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`),
    statuses: Object.keys(responses).map(Number),
  }));

describe.each(engines)('over %s', (engine) => {
  let app: RunningApp;

  beforeAll(async () => {
    app = await startApp({}, engine);
  });

  afterAll(() => app[Symbol.asyncDispose]());

  async function send(request: WireRequest): Promise<RawResponse> {
    const responses = await sendRaw(app.origin, toBytes(request), { method: request.method });
    const final = responses.filter(({ status }) => status >= 200);
    expect(final).toHaveLength(1);
    const [response] = final;
    if (response === undefined) throw new Error('No response came');
    assertWellFormed(response, request.method);
    return response;
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

  /** A pet is what the body of its creation said, at its Location and in the list. */
  async function expectUnchanged({ body, headers }: RawResponse, wished: NewPet): Promise<void> {
    const { id, ...rest } = Pet.parse(parseJson(body));
    expect(rest).toEqual(wished);
    expect(headers.get('location')).toBe(`/v1/pets/${id}`);
    expect(await read(`/v1/pets/${id}`)).toBe(body);
    const cursor = encodeCursor({ after: Number(id) - 1 });
    expect(await read(`/v1/pets?limit=1&cursor=${cursor}`)).toBe(`[${body}]`);
  }

  test('every pet that the contract allows is created, however its JSON is written, and is returned unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(writtenPets, fc.boolean(), async ({ pet, text }, isChunked) => {
        const response = await send({ ...creation(app.apiKey, text), isChunked });
        expect(response.status, response.body).toBe(201);
        await expectUnchanged(response, pet);
      }),
      { seed, numRuns: 500 },
    );
  });

  /** A status that an operation can have is in its documentation. */
  function expectDocumented({ method, target }: WireRequest, { status }: RawResponse): void {
    const [path = ''] = target.split('?');
    const route = operations.find((each) => each.method === method && each.pattern.test(path));
    if (route !== undefined) expect(route.statuses, `${method} ${target}`).toContain(status);
  }

  test('any request gets a response of the contract: never a 5xx, and every error has an Error body', async () => {
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.constant(null).chain(() => requests(app.apiKey)),
        async (request) => {
          const response = await send(request);
          expectDocumented(request, response);
          statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
          if (response.status === 201 && /\/v1\/pets(\?|$)/.test(request.target)) {
            await expectUnchanged(response, NewPet.parse(parseJson(Buffer.from(request.body).toString())));
          }
          const isListing =
            response.status === 200 && request.method === 'GET' && /^\/v1\/pets(\?|$)/.test(request.target);
          if (isListing) Pets.parse(parseJson(response.body));
        },
      ),
      { seed, numRuns: 1_000 },
    );
    // The requests themselves: they reached what they were made for.
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 400, 401, 404, 405, 415]));
  });
});
