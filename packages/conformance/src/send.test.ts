import { describe, expect, test } from 'vitest';
import { Nonconformity } from './nonconformity.ts';
import { send } from './send.ts';
import { addressBeside, type Target } from './target.ts';

/** A target that keeps what it was sent and always gives the same answer. */
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
  test('asks under the base address, with or without a slash at its end, with the key', async () => {
    const { target, requests } = recorder();
    await send(target, 'GET', '/pets?limit=1');
    await send({ ...target, baseUrl: 'http://petstore.test/v1' }, 'GET', '/pets?limit=1');
    for (const { url, headers } of requests) {
      expect(url).toBe('http://petstore.test/v1/pets?limit=1');
      expect(headers.get('authorization')).toBe('Bearer key');
    }
    expect(addressBeside(target, '/livez')).toBe('http://petstore.test/livez');
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

  test('does not follow redirects, which would hide an answer', async () => {
    const { target, requests } = recorder();
    await send(target, 'GET', '/pets');
    expect(requests[0]?.redirect).toBe('manual');
  });

  test('gives up at the time limit, also when fetch does not heed the signal', async () => {
    const { target } = recorder(() => new Promise(() => {}));
    const answer = send(target, 'GET', '/pets', { timeLimit: 20 });
    await expect(answer).rejects.toThrow(
      new Nonconformity('GET /v1/pets: expected an answer, got nothing within 20 ms'),
    );
  });

  test('gives up at the time limit when the body does not come to its end', async () => {
    const { target } = recorder(() => new Response(new ReadableStream()));
    await expect(send(target, 'GET', '/pets', { timeLimit: 20 })).rejects.toThrow('nothing within 20 ms');
  });

  test('says why there was no answer', async () => {
    const { target } = recorder(() =>
      Promise.reject(new TypeError('fetch failed', { cause: new Error('refused') })),
    );
    await expect(send(target, 'GET', '/pets')).rejects.toThrow('got fetch failed (refused)');
  });
});
