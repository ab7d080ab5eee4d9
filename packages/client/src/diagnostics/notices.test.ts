import { afterEach, describe, expect, test, vi } from 'vitest';
import { apiKey, errorOf, noResponse, type Reply, serveReplies } from '../../tests/support/stub-service.ts';
import { createPetStore } from '../index.ts';
import { createMemoryPetStore } from '../testing/memory-pet-store.ts';

const warn = vi.spyOn(console, 'warn').mockReturnValue();
afterEach(() => void warn.mockClear());

describe('a deprecated operation', () => {
  test('causes one warning, with its date of removal and the operation that replaces it', async () => {
    const store = createPetStore(createMemoryPetStore({ pets: [{ name: 'a', categoryId: 1 }] }));
    await store.listPets();
    await store.getPet(1);
    await store.safe.getPet(99);
    // Other operations may be deprecated, too.
    const warnings = warn.mock.calls.filter(([line]) => line.includes('getPet'));
    const end = 'is deprecated and will be removed on Thu, 05 Dec 2030 00:00:00 GMT: use listPets';
    expect(warnings).toEqual([[`@petstore/client: getPet ${end}`]]);
  });

  test('is reported to onDeprecation instead, and is not reported if onDeprecation is false', async () => {
    const notices: string[] = [];
    const link = '</v2/pets>; rel="successor-version"';
    const fetch = async () => Response.json([], { headers: { deprecation: '@1', link } });
    const options = { baseUrl: 'https://pets.example/v1', apiKey, fetch };
    const store = createPetStore({ ...options, onDeprecation: (notice) => notices.push(notice) });
    await store.listPets();
    await store.safe.getPet(1);
    await createPetStore({ ...options, onDeprecation: false }).listPets();
    const end = 'is deprecated: use /v2/pets';
    expect(notices).toEqual([`@petstore/client: listPets ${end}`, `@petstore/client: getPet ${end}`]);
    expect(warn).not.toHaveBeenCalled();
  });
});

describe('the second retry of a call', () => {
  const outage: Reply = { status: 503, body: '{"code":"stopping","message":"Later.","status":503}' };
  const options = { apiKey, retryDelayMs: 0, retries: 2 };

  test('warns once in each of two outages, and says why the call waits', async () => {
    let reply = outage;
    const { baseUrl } = await serveReplies(() => reply);
    const store = createPetStore({ ...options, baseUrl });
    await errorOf(store.listPets());
    // A 429 does not end the outage.
    reply = { status: 429, body: '{"code":"rate_limited","message":"Later.","status":429}' };
    await errorOf(store.listPets());
    // A 404 ends the outage.
    reply = { status: 404, body: '{"code":"pet_not_found","message":"No pet.","status":404}' };
    await store.safe.getPet(1);
    reply = noResponse;
    await errorOf(store.listPets());
    const { host } = new URL(baseUrl);
    const start = '@petstore/client: listPets waits, at most until its timeoutMs: ';
    expect(warn.mock.calls).toEqual([
      [`${start}${host} responds to listPets with status 503`],
      [expect.stringContaining(`${start}No response to listPets from ${host} (attempt 2): `)],
    ]);
  });

  test('warns twice, and then at most once a minute, about a service that fails again and again, also about an outage that outlasts the minute', async () => {
    vi.useFakeTimers();
    let status = 503;
    const fetch = async () => Response.json([], { status });
    const store = createPetStore({ ...options, baseUrl: 'https://pets.example/v1', fetch });
    for (let seconds = 0; seconds < 200; seconds += 2) {
      // After two quiet minutes, too, only one warning comes.
      if (seconds === 120) await vi.advanceTimersByTimeAsync(120_000);
      status = 503;
      const call = errorOf(store.listPets());
      await vi.advanceTimersByTimeAsync(2_000);
      await call;
      // The last outage begins within a minute after a warning, and outlasts that minute: it has a warning, too.
      if (seconds >= 138) continue;
      status = 200;
      await store.listPets();
    }
    expect(warn).toHaveBeenCalledTimes(5); // After 0, 2, 62, 240 and 300 seconds.
  });

  test('blames an API key function that never resolves, not an outage that has ended', async () => {
    const getKey = vi.fn(async () => apiKey);
    const { baseUrl, requests } = await serveReplies(() => (requests.length === 1 ? outage : { body: '[]' }));
    const store = createPetStore({ ...options, baseUrl, apiKey: getKey });
    await store.listPets();
    getKey.mockReturnValue(new Promise(() => {}));
    await errorOf(store.listPets({}, { attemptTimeoutMs: 5 }));
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/: no API key$/)]]);
  });

  test('warns neither in production nor in an app with onRetry', async () => {
    const { baseUrl } = await serveReplies(outage);
    vi.stubEnv('NODE_ENV', 'production');
    await errorOf(createPetStore({ ...options, baseUrl }).listPets());
    vi.unstubAllEnvs();
    await errorOf(createPetStore({ ...options, baseUrl, onRetry: () => {} }).listPets());
    expect(warn).not.toHaveBeenCalled();
  });
});
