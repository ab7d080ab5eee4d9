import { setTimeout as sleep } from 'node:timers/promises';
import { Pet } from '@petstore/contract';
import { FIXED_KEY } from './server-process.ts';

/** What callers know of an animal that they wanted to add. */
export interface Wish {
  name: string;
  /** Whether it was sent with an Idempotency-Key, and again when no answer came. */
  isKeyed: boolean;
  /** The ids of all answers that came. */
  ids: unknown[];
}

/** Callers that add animals until they are told to end, and keep book of what they were told. */
export interface Writers {
  wishes: Wish[];
  /** Answers that said `Idempotency-Replayed`. */
  replays(): number;
  /** Lets everybody come to an end. */
  end(): Promise<void>;
}

/** More than enough tries to outlive a restart. */
const PATIENCE = 200;

/**
 * Sets writers to work at an address: three of four animals with an Idempotency-Key. One of ten such
 * callers gives up when no answer comes; one of five asks again though an answer came.
 */
export function startWriters(
  origin: string,
  {
    count,
    random,
    name = 'writer',
  }: { count: number; random: (min: number, max: number) => number; name?: string },
): Writers {
  const wishes: Wish[] = [];
  let isEnding = false;
  let replays = 0;

  async function send({ name, isKeyed, ids }: Wish): Promise<boolean> {
    const answer = await fetch(`${origin}/v1/pets`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${FIXED_KEY}`,
        'content-type': 'application/json',
        ...(isKeyed && { 'idempotency-key': `"${name}"` }),
      },
      body: JSON.stringify({ name, categoryId: name.length }),
    })
      .then(async (response) => ({ response, text: await response.text() }))
      .catch(() => undefined);
    // Away, or nobody knows: 503 is no promise that nothing was added.
    if (answer === undefined || answer.response.status === 503) return false;
    if (answer.response.status !== 201) throw new Error(`A creation was answered: ${answer.text}`);
    if (answer.response.headers.get('idempotency-replayed') === 'true') replays += 1;
    ids.push(Pet.parse(JSON.parse(answer.text)).id);
    return true;
  }

  async function write(writer: number): Promise<void> {
    for (let number = 0; !isEnding; number += 1) {
      const wish = { name: `${name}-${writer}-${number}`, isKeyed: random(1, 4) > 1, ids: [] };
      wishes.push(wish);
      let tries = wish.isKeyed && random(1, 10) > 1 ? PATIENCE : 1;
      while (!(await send(wish)) && --tries > 0) await sleep(random(10, 50));
      if (wish.isKeyed && random(1, 5) === 1) await send(wish);
    }
  }

  const all = Promise.all(Array.from({ length: count }, (_, writer) => write(writer)));
  // A writer that fails is to be heard of at the end, not as an unhandled rejection.
  all.catch(() => {});
  return {
    wishes,
    replays: () => replays,
    async end() {
      isEnding = true;
      await all;
    },
  };
}
