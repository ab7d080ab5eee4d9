import assert from 'node:assert/strict';
import { NewPet, PetStatus } from '@petstore/contract';
import { FIXED_KEY, type ServerProcess } from '@petstore/test-support/servers/server-process';
import type { Model } from './model.ts';

/**
 * Numbers that choose what a command does, such as the `server` and the `caller` of a request, `how` to read (an
 * index of `READS`), or the milliseconds `for` which a server stalls. A missing number is 0.
 */
export type Options = Readonly<Record<string, number>>;

export interface Server {
  process: ServerProcess;
  startedAt: number;
  /** Once the server gets a signal, requests may stay without a response. */
  isEnding: boolean;
}

type Received = Awaited<ReturnType<typeof receive>>;

async function receive(url: string, init: RequestInit) {
  const response = await fetch(url, init);
  const { status, headers } = response;
  const isReplayed = headers.has('idempotency-replayed');
  const text = await response.text();
  return { status, text, etag: headers.get('etag'), link: headers.get('link'), isReplayed };
}

/** Ways to read. A condition is a header with the entity tag of the cached response. */
const READS: readonly { method: string; condition?: 'If-None-Match' | 'If-Match' }[] = [
  { method: 'GET' },
  { method: 'GET', condition: 'If-None-Match' },
  { method: 'HEAD' },
  { method: 'GET', condition: 'If-Match' },
];

/** How many responses of a history may have the status 503: a stalled disk causes a few. */
const MAX_UNAVAILABLE = 5;

/** The callers of a pet store, who use it by HTTP. */
export class Callers {
  readonly #serverOf: (number?: number) => Server;
  readonly #apiKeys: string[] = [];
  /** The last response to each URL, which callers revalidate. */
  readonly #cache = new Map<string, Received>();
  #names = 0;
  #unavailable = 0;

  constructor(serverOf: (number?: number) => Server) {
    this.#serverOf = serverOf;
  }

  /** A pet with a name that no other pet has. */
  newPet(): NewPet {
    const number = ++this.#names;
    // One pet of each status in turn, then one without.
    const status = PetStatus.options[number % (PetStatus.options.length + 1)];
    return NewPet.parse({ name: `pet-${number}`, categoryId: 1, status });
  }

  /** @param number 0 is the key of the configuration, 1 the newest issued key */
  apiKey(number = 0): string {
    return [FIXED_KEY, ...this.#apiKeys.toReversed()][number] ?? FIXED_KEY;
  }

  /** Keeps an issued key, so that callers use it. */
  keep(apiKey: string): string {
    this.#apiKeys.push(apiKey);
    return apiKey;
  }

  /**
   * Sends a request with an API key.
   * @returns nothing when the caller gives up or the server cannot serve, so that the outcome is unknown
   */
  async send(
    model: Model,
    { server: number, caller }: Options,
    path: string,
    init: RequestInit = {},
  ): Promise<Received | undefined> {
    const server = this.#serverOf(number);
    if (server.isEnding) return undefined;
    const [apiKey, sentAt] = [this.apiKey(caller), performance.now()];
    const headers = { ...init.headers, authorization: `Bearer ${apiKey}` };
    let response: Received;
    try {
      response = await receive(server.process.origin + path, { ...init, headers });
    } catch (error) {
      if (server.isEnding || init.signal?.aborted) return undefined;
      throw error;
    }
    const { status, text } = response;
    assert(status !== 500, `${path}: ${text}`);
    if (status === 503) {
      if (!server.isEnding) this.#unavailable += 1;
      assert(this.#unavailable <= MAX_UNAVAILABLE, `${path}: ${text}`);
      return undefined;
    }
    model.checkKey(apiKey, status !== 401, { startedAt: server.startedAt, sentAt });
    const mayAdd = model.apiKeys.get(apiKey)?.scope === 'write';
    if (init.method === 'POST' && status !== 401) assert.equal(status !== 403, mayAdd, 'the scope of a key');
    return response;
  }

  /**
   * Reads a URL, after the first time also by a conditional request or HEAD.
   * @returns nothing when the response does not tell the content
   */
  async read(model: Model, options: Options, path: string): Promise<Received | undefined> {
    const cached = this.#cache.get(path);
    const { method, condition } = (cached && READS[options.how ?? 0]) ?? { method: 'GET' };
    const headers: Record<string, string> = condition ? { [condition]: cached?.etag ?? '' } : {};
    const response = await this.send(model, options, path, { method, headers });
    if (response === undefined || response.status === 401) return undefined;
    const { status } = response;
    if (status === 404) return response;
    if (status === 412 && condition === 'If-Match') return undefined;
    if (status === 304 && condition === 'If-None-Match') return cached;
    assert.equal(status, 200, response.text);
    const isSame = response.etag === cached?.etag;
    if (method === 'HEAD') return isSame ? cached : undefined;
    if (condition === 'If-Match') assert(isSame, `If-Match of ${path}`);
    if (condition === 'If-None-Match') assert(!isSame, `If-None-Match of ${path}`);
    if (isSame) assert.deepEqual(response, cached, `the entity tag of ${path} stayed the same`);
    this.#cache.set(path, response);
    return response;
  }
}
