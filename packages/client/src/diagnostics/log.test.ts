import { inspect } from 'node:util';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Reply } from '../../tests/support/stub-service.ts';
import { apiKey, errorOf, storeWithReply } from '../../tests/support/test-store.ts';
import { createPetStore, type Logger } from '../index.ts';
import { createMemoryPetStore } from '../testing/index.ts';

/** A logger that keeps its lines. Its methods need their object, as those of pino do. */
class Log implements Logger {
  readonly lines: string[] = [];
  debug = this.#writer('debug');
  info = this.#writer('info');
  warn = this.#writer('warn');
  error = this.#writer('error');

  #writer(level: string) {
    return function (this: Log, line: string) {
      // Without what differs from run to run.
      const stable = line.replaceAll(/127\.0\.0\.1:\d+/g, 'host').replaceAll(/in \d+ ms/g, 'in n ms');
      this.lines.push(`${level} ${stable}`);
    };
  }
}

test('a logger gets a line for each request, response, retry and failure', async () => {
  const replies: Reply[] = [
    { status: 503, headers: { 'x-request-id': 'r-1' } },
    { cut: 'before the response' },
    { body: '[]', headers: { 'x-request-id': 'r-2' } },
  ];
  const logger = new Log();
  const { store } = await storeWithReply(() => replies.shift() ?? {}, {
    retries: 2,
    retryDelayMs: 0,
    logger,
  });
  await store.listPets({ status: 'sold' });
  expect(logger.lines).toEqual([
    'debug @petstore/client: listPets, attempt 1: GET http://host/v1/pets?status=sold',
    'error @petstore/client: listPets, attempt 1: status 503 in n ms, request id r-1',
    'warn @petstore/client: listPets, attempt 1: retried in n ms',
    'debug @petstore/client: listPets, attempt 2: GET http://host/v1/pets?status=sold',
    expect.stringMatching(
      /^error @petstore\/client: listPets, attempt 2: NetworkError in n ms: No response to listPets from host/,
    ),
    'warn @petstore/client: listPets, attempt 2: retried in n ms',
    'debug @petstore/client: listPets, attempt 3: GET http://host/v1/pets?status=sold',
    'info @petstore/client: listPets, attempt 3: status 200 in n ms, request id r-2',
  ]);
});

test('a call that its caller aborts is no error in the log', async () => {
  const logger = new Log();
  const controller = new AbortController();
  const { store } = await storeWithReply({ body: '[]' }, { logger, onRequest: () => controller.abort() });
  await errorOf(store.listPets({}, { signal: controller.signal }));
  expect(logger.lines.at(-1)).toMatch(/^info @petstore\/client: listPets, attempt 1: AbortError in n ms/);
});

test('the API key is in no line, also when a proxy echoes it', async () => {
  const echo = {
    status: 401,
    headers: { 'x-request-id': apiKey },
    body: `{"code":"${apiKey}","message":"","status":401}`,
  };
  const replies: Reply[] = [{ ...echo, status: 503 }, echo, { raw: `HTTP/1.1 ${apiKey}\r\n\r\n` }];
  const logger = new Log();
  const { store } = await storeWithReply(() => replies.shift() ?? {}, {
    retries: 1,
    retryDelayMs: 0,
    logger,
  });
  await errorOf(store.listPets());
  await errorOf(store.listPets({}, { retries: 0 }));
  expect(logger.lines.length).toBeGreaterThan(6);
  expect(inspect(logger.lines)).not.toContain(apiKey);
});

describe('the environment variable PETSTORE_LOG', () => {
  afterEach(() => vi.unstubAllEnvs());

  /** What a store without a logger writes to standard error while it adds a pet and fetches it. */
  async function linesWith(level: string) {
    vi.stubEnv('PETSTORE_LOG', level);
    const error = vi.spyOn(console, 'error').mockReturnValue();
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    onTestFinished(() => {
      error.mockRestore();
      warn.mockRestore();
    });
    const store = createPetStore(createMemoryPetStore());
    const { id } = await store.createPet({ name: 'a', categoryId: 1 });
    await store.getPet(id);
    return error.mock.calls.map(([line]) => String(line).replace(/: @petstore.*/, ''));
  }

  test.each([
    ['debug', ['debug', 'info', 'debug', 'warn', 'info']],
    ['info', ['info', 'warn', 'info']],
    ['warn', ['warn']],
    ['error', []],
    ['', []],
  ])('%s makes a store write lines of this level and above', async (level, expected) => {
    expect((await linesWith(level)).toSorted()).toEqual(expected.toSorted());
  });
});
