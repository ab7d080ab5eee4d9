import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pet } from '@petstore/contract';
import { fetchWithKey } from './servers/fetch-with-key.ts';
import { FIXED_KEY } from './servers/server-process.ts';

/** A creation, as its writer knows it. */
export interface Creation {
  /** No two creations have the same name. */
  name: string;
  /** Whether it is sent with an Idempotency-Key. Only then it is sent again after a failure. */
  isKeyed: boolean;
  /** The id in each 201 response. Without one the writer does not know whether the pet exists. */
  ids: unknown[];
}

/** Clients that create pets until they are told to end, and record each creation. */
export interface Writers {
  creations: Creation[];
  /** Lets each writer finish its creation. */
  end(): Promise<void>;
}

/** The longest pause of a writer, so that all together do not take the processor from other tests. */
const MAX_PAUSE_MS = 50;

/** Enough retries to outlive a restart of the server. */
const ATTEMPTS = 200;

/**
 * Starts clients that create pets, three of four with an Idempotency-Key. One in ten of the creations with a key is not
 * retried after a failure. One in five is sent once more at the end.
 */
export function startWriters(
  origin: string,
  { count, name = 'writer' }: { count: number; name?: string },
): Writers {
  const creations: Creation[] = [];
  let isEnding = false;

  /** @returns whether the creation is acknowledged */
  async function send({ name, isKeyed, ids }: Creation): Promise<boolean> {
    const response = await sendCreation(name, isKeyed).catch(() => undefined);
    // 503 is like no response: the pet may have been created.
    if (response === undefined || response.status === 503) return false;
    if (response.status !== 201) throw new Error(`The response to a creation is ${response.text}`);
    ids.push(Pet.parse(JSON.parse(response.text)).id);
    return true;
  }

  async function sendCreation(name: string, isKeyed: boolean) {
    const response = await fetchWithKey(origin, FIXED_KEY)('/v1/pets', {
      method: 'POST',
      headers: isKeyed ? { 'idempotency-key': `"${name}"` } : {},
      body: JSON.stringify({ name, categoryId: name.length }),
    });
    return { status: response.status, text: await response.text() };
  }

  async function write(writer: number): Promise<void> {
    for (let number = 0; !isEnding; number += 1) {
      const creation = { name: `${name}-${writer}-${number}`, isKeyed: randomInt(4) > 0, ids: [] };
      creations.push(creation);
      let attempts = creation.isKeyed && randomInt(10) > 0 ? ATTEMPTS : 1;
      while (!(await send(creation)) && --attempts > 0) await sleep(randomInt(20, 150));
      if (creation.isKeyed && randomInt(5) === 0) await send(creation);
      await sleep(randomInt(MAX_PAUSE_MS));
    }
  }

  const all = Promise.all(Array.from({ length: count }, (_, writer) => write(writer)));
  // A writer that fails is reported by end(), not as an unhandled rejection.
  all.catch(() => {});
  return {
    creations,
    async end() {
      isEnding = true;
      await all;
    },
  };
}
