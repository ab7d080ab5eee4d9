import { describe, expect, test } from 'vitest';
import { type Target, urlBeside } from '../target.ts';
import { send } from './send.ts';

/** A target that records its requests and always returns the same response. */
function recorder(response: () => Response | Promise<Response> = () => new Response('{}')) {
  const requests: Request[] = [];
  const target: Target = {
    baseUrl: 'http://petstore.test/v1/',
    apiKey: 'key',
    fetch: async (url, init) => {
      requests.push(new Request(url, init));
      return response();
    },
  };
  return { target, requests };
}

describe('send', () => {
  test('sends to a path below the base URL, with or without a slash at its end, with the key', async () => {
    const { target, requests } = recorder();
    await send(target, 'GET', '/pets?limit=1');
    await send({ ...target, baseUrl: 'http://petstore.test/v1' }, 'GET', '/pets?limit=1');
    for (const { url, headers } of requests) {
      expect(url).toBe('http://petstore.test/v1/pets?limit=1');
      expect(headers.get('authorization')).toBe('Bearer key');
    }
    expect(urlBeside(target, '/livez')).toBe('http://petstore.test/livez');
  });

  test('sends another Authorization when told to, and none for null', async () => {
    const { target, requests } = recorder();
    await send(target, 'GET', '/pets', { authorization: 'Basic x' });
    await send(target, 'GET', '/pets', { authorization: null });
    expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual(['Basic x', null]);
  });

  test('sends a bigint without rounding it', async () => {
    const { target, requests } = recorder();
    await send(target, 'POST', '/pets', { json: { categoryId: 9007199254740993n } });
    expect(await requests[0]?.text()).toBe('{"categoryId":9007199254740993}');
    expect(requests[0]?.headers.get('content-type')).toBe('application/json');
  });

  test('does not follow redirects, which would hide a response', async () => {
    const { target, requests } = recorder();
    await send(target, 'GET', '/pets');
    expect(requests[0]?.redirect).toBe('manual');
  });

  test('waits for as long as a 429 says, and sends the request again', async () => {
    const replies = [
      new Response('Later.', { status: 429, headers: { 'retry-after': '1' } }),
      new Response('[]'),
    ];
    const { target, requests } = recorder(() => replies.shift() ?? Response.error());
    const start = performance.now();
    expect(await send(target, 'GET', '/pets')).toMatchObject({ status: 200 });
    expect(performance.now() - start).toBeGreaterThanOrEqual(990);
    expect(requests).toHaveLength(2);
  });

  test('returns a 429 that does not say how long to wait', async () => {
    const { target, requests } = recorder(() => new Response('Later.', { status: 429 }));
    expect(await send(target, 'GET', '/pets')).toMatchObject({ status: 429, text: 'Later.' });
    expect(requests).toHaveLength(1);
  });

  test('notes what a report shows: the curl line, the response and its request id', async () => {
    const { target } = recorder(() => new Response('[]', { headers: { 'x-request-id': 'r1' } }));
    const { replay } = await send(target, 'GET', '/pets?limit=1');
    expect(replay).toEqual({
      curl: `curl -i -H "Authorization: Bearer $PETSTORE_API_KEY" 'http://petstore.test/v1/pets?limit=1'`,
      received: '200 []',
      requestId: 'r1',
    });
  });

  test('notes of a long body only the first 300 characters', async () => {
    const { target } = recorder(() => new Response('x'.repeat(1_000)));
    const { replay } = await send(target, 'GET', '/pets');
    expect(replay.received).toBe(`200 ${'x'.repeat(300)}…`);
  });

  test('notes no key that the deployment repeats', async () => {
    const apiKey = 'pst_0123456789';
    const { target } = recorder(() => new Response(`${'x'.repeat(290)}${apiKey}, unknown`));
    const { replay, text } = await send({ ...target, apiKey }, 'GET', '/pets');
    expect(text).toContain(apiKey);
    expect(replay.received).not.toContain('pst_');
  });

  test('decodes a character whose bytes come in two chunks', async () => {
    const bytes = new TextEncoder().encode('Ñ');
    const { target } = recorder(
      () => new Response(ReadableStream.from([bytes.subarray(0, 1), bytes.subarray(1)])),
    );
    expect(await send(target, 'GET', '/pets')).toHaveProperty('text', 'Ñ');
  });

  test('gives up at the time limit, also when fetch ignores the signal', async () => {
    const { target } = recorder(() => new Promise(() => {}));
    await expect(send(target, 'GET', '/pets', { timeLimit: 20 })).rejects.toMatchObject({
      name: 'NoResponseError',
      message: 'GET /v1/pets: expected a response, got no complete response within 20 ms',
    });
  });

  test('gives up at the time limit when the body never ends', async () => {
    const { target } = recorder(() => new Response(new ReadableStream()));
    await expect(send(target, 'GET', '/pets', { timeLimit: 20 })).rejects.toThrow('within 20 ms');
  });

  test('gives up on an endless body before it fills the memory', async () => {
    const chunk = new Uint8Array(1024 * 1024);
    let sent = 0;
    const { target } = recorder(
      () =>
        new Response(
          new ReadableStream({
            pull(controller) {
              sent += 1;
              controller.enqueue(chunk);
            },
          }),
        ),
    );
    await expect(send(target, 'GET', '/pets')).rejects.toThrow('a body of more than');
    expect(sent).toBeLessThan(64);
  });

  test('says why there was no response', async () => {
    const { target } = recorder(() =>
      Promise.reject(new TypeError('fetch failed', { cause: new Error('refused') })),
    );
    await expect(send(target, 'GET', '/pets')).rejects.toThrow('got fetch failed (refused)');
  });
});
