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

  test('gives up when its check ends, also when fetch ignores the signal', async () => {
    for (const response of [new Promise<Response>(() => {}), new Response(new ReadableStream())]) {
      const { target } = recorder(() => response);
      const signal = AbortSignal.abort(new Error('the check is over'));
      await expect(send({ ...target, signal }, 'GET', '/pets')).rejects.toMatchObject({
        name: 'NoResponseError',
        message: 'GET /v1/pets: expected a response, got the check is over',
      });
    }
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
