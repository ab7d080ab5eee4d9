import { assertWellFormed, sendRaw } from '@petstore/test-support/sockets/raw-http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningApp, startApp } from '#support/app';
import { creation, toBytes, type WireRequest } from '#support/requests';

let app: RunningApp;

beforeAll(async () => {
  app = await startApp();
});

afterAll(() => app[Symbol.asyncDispose]());

async function statusesOf(bytes: Buffer): Promise<number[]> {
  const responses = await sendRaw(app.origin, bytes);
  for (const response of responses) assertWellFormed(response);
  return responses.map(({ status }) => status);
}

const broken = Buffer.from('NONSENSE\r\n\r\n');
const post = () => creation(app.apiKey, '{"name":"a","categoryId":1}');
const keepOpen = (request: WireRequest) =>
  Buffer.from(toBytes(request).toString('latin1').replace('Connection: close\r\n', ''), 'latin1');

test('bytes that are not HTTP get 400, after the complete response to the request before them', async () => {
  const get = { ...creation(app.apiKey, ''), method: 'GET', target: '/openapi.json' };
  for (const [request, status] of [[post(), 201] as const, [get, 200] as const]) {
    expect(await statusesOf(Buffer.concat([keepOpen(request), broken]))).toEqual([status, 400]);
  }
});

test.each(['http://', 'http://[', 'http://a:b/v1/pets'])(
  'the absolute target %s, which has no resource, gets an Error body',
  async (target) => {
    expect(await statusesOf(toBytes({ ...creation(app.apiKey, ''), method: 'GET', target }))).toEqual([404]);
  },
);

describe('input that invites backtracking', () => {
  const type = (value: string) => (request: WireRequest) => ({
    ...request,
    headers: request.headers.map(([name, old]): [string, string] => [
      name,
      name === 'Content-Type' ? value : old,
    ]),
  });
  const body = (text: string) => (request: WireRequest) => ({ ...request, body: Buffer.from(text) });

  test.each([
    ['a string without end', body(`{"name":"${'\\"'.repeat(32_000)}`), 400],
    ['quotation marks', body('"'.repeat(65_000)), 400],
    ['spaces in a body', body(`{"name"${' '.repeat(65_000)}`), 400],
    ['spaces in a media type', type(`application/json${' '.repeat(15_000)}x`), 415],
    ['spaces around a charset', type(`application/json;charset=utf-8${' '.repeat(15_000)}x`), 415],
    ['a number of 65,000 digits', body(`{"name":"a","categoryId":${'9'.repeat(65_000)}}`), 400],
    ['thousands of huge exponents', body(`[${'1e308,'.repeat(10_000)}1]`), 400],
  ])('such as $0 gets $2 within 50 ms of processor time', async (_what, change, status) => {
    const bytes = toBytes(change(post()));
    await statusesOf(bytes);
    // The service runs in this process. One cheap response is proof: other responses may take more time because garbage
    // is collected, or because the machine is busy.
    const measure = async () => {
      const start = process.cpuUsage();
      expect(await statusesOf(bytes)).toEqual([status]);
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1_000;
    };
    await expect.poll(measure).toBeLessThan(50);
  });
});
