import { describe, expect, test, vi } from 'vitest';
import { expect as expectOf } from './response.ts';
import { send } from './send.ts';
import { type Target, urlBeside } from './target.ts';

/** A target that records its requests and always returns the same response. */
function recorder(response: () => Response | Promise<never>) {
  const requests: Request[] = [];
  const target: Target = {
    baseUrl: 'http://petstore.test/v1',
    apiKey: 'key',
    fetch: async (url, init) => {
      requests.push(new Request(url, init));
      return response();
    },
  };
  return { target, requests };
}

test.each(['/shop/v1', '/shop/v1/'])('urlBeside replaces the version prefix of %s', (path) => {
  const target = { baseUrl: `http://a.test${path}`, apiKey: 'key', fetch };
  expect(urlBeside(target, '/livez')).toBe('http://a.test/shop/livez');
});

describe('send', () => {
  test('waits for the Retry-After of each 429, and sends the request again', async () => {
    // The service's clock is slow. By this clock, `retryDate` is one second away. `send` adds a second to a date.
    const date = 'Thu, 01 Jan 2026 00:00:00 GMT';
    const retryDate = 'Thu, 01 Jan 2026 00:00:01 GMT';
    const { target, requests } = recorder(() => {
      const headers = { date, 'retry-after': requests.length === 1 ? '1' : retryDate };
      return requests.length < 3 ? new Response('', { status: 429, headers }) : new Response('[]');
    });
    const start = performance.now();
    expect(await send(target, 'GET', '/pets')).toMatchObject({ status: 200 });
    // One second and two, but a timer may end some milliseconds early.
    expect(performance.now() - start).toBeGreaterThanOrEqual(2_980);
    expect(requests).toHaveLength(3);
  });

  // 1767225600 is a Unix time, sent by mistake. Node.js has no timer that long: both would retry without a pause.
  test.each(['0', '1767225600'])('returns a 429 at once whose Retry-After is %s', async (retryAfter) => {
    const headers = { 'retry-after': retryAfter };
    const { target, requests } = recorder(() => new Response('Later.', { status: 429, headers }));
    expect(await send(target, 'GET', '/pets')).toMatchObject({ status: 429 });
    expect(requests).toHaveLength(1);
  });

  // 300 characters of a body are shown.
  test.each([
    ['at the end of what is shown', 'pst_0123', (key: string) => `${'x'.repeat(296)}${key}, unknown`],
    ['longer than what is shown', `pst_${'0123456789'.repeat(60)}`, (key: string) => `unknown: ${key}`],
    ['often', `pst_${'0123456789'.repeat(4)}`, (key: string) => `${key} `.repeat(15)],
  ])(
    'shows no API key that the deployment echoes in headers and in the body: %s',
    async (_where, apiKey, echo) => {
      const { target } = recorder(() => new Response(echo(apiKey), { headers: { 'x-request-id': apiKey } }));
      // A check sends the deployment's ETag, which may have the key in it, too.
      const headers = { 'if-none-match': `"${apiKey}"` };
      const { replay, text } = await send({ ...target, apiKey }, 'GET', '/pets', { headers });
      expect(text).toContain(apiKey);
      expect(Object.keys(replay)).toEqual(['curl', 'received', 'requestId']);
      expect(Object.values(replay).join()).not.toContain('pst_');
    },
  );

  test.each([
    ['the first address of a host', new AggregateError([new Error('::1'), new Error('127.0.0.1')]), '::1'],
    ['a proxy', new Error('cancelled', { cause: new Error('Proxy response (407)') }), 'Proxy response (407)'],
  ])('rejects with the reason of %s', async (_what, cause, reason) => {
    const { target } = recorder(() => Promise.reject(new TypeError('fetch failed', { cause })));
    await expect(send(target, 'GET', '/pets')).rejects.toThrow(`fetch failed (${reason})`);
  });

  test('returns a response whose failures show no key, no line break and no long text', async () => {
    const apiKey = 'pst_0123456789';
    const { target } = recorder(() => new Response(apiKey));
    const response = await send({ ...target, apiKey }, 'GET', '/pets');
    const finding = 'expected no $PETSTORE_API_KEY here';
    // ` rather than `, the `x` and `$PETSTO` are the 300 characters that are shown of a value.
    const message = `${finding} rather than ${'x'.repeat(280)}$PETSTO…, but GET /v1/pets returned 200 $PETSTORE_API_KEY`;
    const fail = () => expectOf(response, false, `no ${apiKey}\nhere`, `${'x'.repeat(280)}${apiKey}`);
    const failure = { message: `${message}\n${response.replay.curl}`, finding };
    expect(fail).toThrow(expect.objectContaining(failure));
  });

  test('does not wait for a response for ever', async () => {
    const expired = AbortSignal.abort(new DOMException('', 'TimeoutError'));
    using _timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(expired);
    const target = { baseUrl: 'http://127.0.0.1/v1', apiKey: 'key', fetch };
    await expect(send(target, 'GET', '/pets')).rejects.toThrow('no complete response within');
  });

  test('joins a character that arrives in pieces', async () => {
    const pieces = Array.from(Buffer.from('"ñ"'), (byte) => Uint8Array.of(byte));
    const { target } = recorder(() => new Response(ReadableStream.from(pieces)));
    expect(await send(target, 'GET', '/pets')).toMatchObject({ text: '"ñ"' });
  });

  test('rejects an endless body before it fills the memory', async () => {
    let sent = 0;
    const pull = (controller: ReadableStreamDefaultController) => {
      sent += 1;
      controller.enqueue(new Uint8Array(1024 * 1024));
    };
    const { target } = recorder(() => new Response(new ReadableStream({ pull })));
    await expect(send(target, 'GET', '/pets')).rejects.toThrow('a body of more than');
    expect(sent, 'MiB, where 32 are allowed').toBeLessThan(64);
  });
});
