import {
  codesOf,
  ErrorBody,
  encodeCursor,
  NewPet,
  Pet,
  Pets,
  parseJson,
  sizeLimits,
  type Version,
  v1,
} from '@petstore/contract';
import { engines } from '@petstore/test-support/databases/databases';
import { chooseSeed } from '@petstore/test-support/seed';
import {
  assertWellFormed,
  openSocket,
  type RawResponse,
  readResponses,
  sendRaw,
} from '@petstore/test-support/sockets/raw-http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type RunningApp, startApp } from '#support/app';
import { mutated } from '#support/mutations';
import { writtenPets } from '#support/new-pets';
import { creation, requests, toBytes, type WireRequest } from '#support/requests';

const seed = chooseSeed('property');

const { contract, prefix }: Version = v1;
const operations = Object.values(contract)
  .flatMap((resource) => Object.values(resource))
  .map(({ method, path, responses }) => ({
    method,
    pattern: new RegExp(`^${prefix}${path.replaceAll(/:\w+/g, '[^/]+')}$`),
    responses,
  }));

async function send({ origin }: RunningApp, request: WireRequest): Promise<RawResponse> {
  const responses = await sendRaw(origin, toBytes(request), { method: request.method });
  const final = responses.filter(({ status }) => status >= 200);
  expect(final).toHaveLength(1);
  const [response] = final;
  if (response === undefined) throw new Error('No response came');
  assertWellFormed(response, request.method);
  return response;
}

/** Sends a valid GET request, and returns the body. */
async function read(app: RunningApp, target: string): Promise<string> {
  const { status, body } = await send(app, { ...creation(app.apiKey, ''), method: 'GET', target });
  expect(status, target).toBe(200);
  return body;
}

/** Expects the created pet to be as it was sent, and the same text at its Location and in the list. */
async function expectUnchanged(app: RunningApp, { body, headers }: RawResponse, sent: NewPet) {
  const { id, ...rest } = Pet.parse(parseJson(body));
  expect(rest).toEqual(sent);
  expect(headers.get('location')).toBe(`/v1/pets/${id}`);
  expect(await read(app, `/v1/pets/${id}`)).toBe(body);
  const cursor = encodeCursor({ after: Number(id) - 1 });
  expect(await read(app, `/v1/pets?limit=1&cursor=${cursor}`)).toBe(`[${body}]`);
}

test.each(engines)(
  'over %s, every pet that the contract allows is returned unchanged, however its JSON is written',
  async (engine) => {
    await using app = await startApp({}, { engine });
    await fc.assert(
      fc.asyncProperty(writtenPets, fc.boolean(), async ({ pet, text }, isChunked) => {
        const response = await send(app, { ...creation(app.apiKey, text), isChunked });
        expect(response.status, response.body).toBe(201);
        await expectUnchanged(app, response, pet);
      }),
      { seed, numRuns: 300 },
    );
  },
);

/** Whether the path can be percent-decoded. The path of no operation is like `/v1/pets/%`. */
function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}

/** Expects the contract to have the status and the error code of a response, if the request is to an operation. */
function expectDocumented({ method, target }: WireRequest, { status, body }: RawResponse): void {
  const [path = ''] = target.split('?');
  const route = operations.find((each) => each.method === method && each.pattern.test(path));
  if (route === undefined || !isDecodable(path)) return;
  expect(Object.keys(route.responses).map(Number), `${method} ${target}`).toContain(status);
  if (status < 400) return;
  const { code } = ErrorBody.parse(JSON.parse(body));
  expect(codesOf(route.responses[status]), `${method} ${target}`).toContain(code);
}

test('any request gets a response of the contract: never a 5xx, and every error has an Error body', async () => {
  await using app = await startApp();
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(requests(app.apiKey), async (request) => {
      const response = await send(app, request);
      expectDocumented(request, response);
      statuses.add(response.status);
      if (response.status === 201 && /\/v1\/pets(\?|$)/.test(request.target)) {
        await expectUnchanged(app, response, NewPet.parse(parseJson(Buffer.from(request.body).toString())));
      }
      const isListing =
        response.status === 200 && request.method === 'GET' && /^\/v1\/pets(\?|$)/.test(request.target);
      if (isListing) Pets.parse(parseJson(response.body));
    }),
    { seed, numRuns: 1_000 },
  );
  // Without these statuses the random requests would have tested too little.
  expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 400, 401, 404, 405, 415]));
});

/**
 * Bytes that exceed every limit of a request. They follow a changed request, which may be incomplete: the server
 * then responds at once, instead of after a timeout.
 */
const SURPLUS = Buffer.alloc(sizeLimits.head + sizeLimits.body, 'x');

/** Sends bytes and reads the responses until the server closes the connection. */
async function sendBytes(origin: string, bytes: Buffer): Promise<RawResponse[]> {
  const socket = await openSocket(origin);
  // After its last response the server discards input for a while, unless the client ends the connection.
  socket.on('data', (chunk: Buffer) => {
    if (chunk.includes('\r\nConnection: close\r\n')) socket.end();
  });
  socket.write(Buffer.concat([bytes, SURPLUS]));
  return readResponses(socket);
}

test('requests whose bytes are changed at random get well-formed responses', async () => {
  await using app = await startApp();
  const post = creation(app.apiKey, '{"name":"Ñandú","categoryId":7,"status":"sold"}');
  const get = { ...creation(app.apiKey, ''), method: 'GET', target: '/v1/pets?limit=3&status=sold' };
  const whole = [post, { ...post, isChunked: true }, get].map(toBytes);
  const keptOpen = whole.map((bytes) => bytes.toString('latin1').replace('Connection: close\r\n', ''));
  const pipelined = Buffer.from(keptOpen.join(''), 'latin1');
  let received = 0;
  await fc.assert(
    fc.asyncProperty(mutated([...whole, pipelined]), async (bytes) => {
      for (const response of await sendBytes(app.origin, bytes)) {
        assertWellFormed(response);
        received += 1;
      }
    }),
    { seed, numRuns: 800 },
  );
  expect(received).toBeGreaterThan(400);
  expect((await fetch(`${app.origin}/readyz`)).status).toBe(200);
});
