import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createPetStore } from '../src/index.ts';
import { serve } from './service.ts';
import { apiKey, failure, storeAnswering } from './store.ts';

describe('the key', () => {
  test('shows in no store, no error and no answer, whatever a proxy tells back', async () => {
    const echoes = [
      { status: 502, body: `{"authorization":"Bearer ${apiKey}"}` },
      { status: 502, body: apiKey },
      { status: 401, body: `{"code":"invalid_api_key","message":"${apiKey} is unknown","status":401}` },
      { status: 302, headers: { location: `http://127.0.0.1:1/${apiKey}` } },
      { cut: 'before the answer' as const },
    ];
    for (const echo of echoes) {
      const { store } = await storeAnswering(echo);
      for (const printed of [store, await failure(store.listPets()), await store.safe.listPets()]) {
        expect(inspect(printed, { depth: null, showHidden: true })).not.toContain(apiKey);
        expect(JSON.stringify(printed)).not.toContain(apiKey);
      }
    }
  });

  test.each(['', 'pst secret', 'pst_secret\n', 'pst_ñ'])(
    'is refused as %o, without being shown',
    (broken) => {
      const create = () => createPetStore({ baseUrl: 'http://127.0.0.1/v1', apiKey: broken });
      expect(create).toThrow(new TypeError('apiKey must be visible ASCII characters'));
    },
  );

  test.each([301, 302, 303, 307, 308])('does not follow a redirect with status %i', async (status) => {
    const other = await serve({ body: '[]' });
    const location = `${other.baseUrl}/pets`;
    const { store, requests } = await storeAnswering({ status, headers: { location } }, { retries: 2 });
    expect(await failure(store.listPets())).toMatchObject({
      code: 'unexpected_answer',
      status,
      retryable: false,
      message: expect.stringContaining('is a redirect, which is not followed'),
    });
    expect(requests).toHaveLength(1);
    expect(other.requests).toEqual([]);
  });

  test('a redirect that a browser hides is told as one too', async () => {
    const fetch = async () => Response.error();
    const store = createPetStore({ baseUrl: 'http://127.0.0.1/v1', apiKey, fetch });
    const error = await failure(store.listPets());
    expect(error).toMatchObject({ status: undefined, message: expect.stringContaining('is a redirect') });
  });
});

test.each([
  '',
  'pets.example/v1',
  '/v1',
  'ftp://pets.example/v1',
  'https://user:secret@pets.example/v1',
  apiKey,
])(
  'a base address that is no HTTP URL, or has a password in it (%o), is refused at once, without being shown',
  (baseUrl) => {
    const create = () => createPetStore({ baseUrl, apiKey });
    expect(create).toThrow(/^baseUrl must be an http or https address, such as https:\/\/pets.example\/v1$/);
  },
);
