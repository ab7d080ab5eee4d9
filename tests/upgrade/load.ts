import { expect } from 'vitest';
import type { Fleet } from './fleet.ts';

interface Load {
  /** Waits for as many more responses. */
  wait(responses: number): Promise<void>;
  /** Lets each client finish what it does. */
  end(): Promise<{ failures: string[]; petsByName: Map<string, unknown[]> }>;
}

/**
 * Starts clients that add pets, each twice with one Idempotency-Key, and read them. Each request goes to the next server,
 * so that one server reads what another has written.
 */
export function startLoad(fleet: Fleet, { apiKey, clients }: { apiKey: string; clients: number }): Load {
  const petsByName = new Map<string, unknown[]>();
  const failures: string[] = [];
  let responses = 0;
  let isEnding = false;

  /** Sends a request without retrying it, and returns its body. Anything but the expected status is a failure. */
  async function send(target: string, init: RequestInit, expected: number): Promise<string> {
    const method = init.method ?? 'GET';
    try {
      const { status, text } = await fleet.send(target, init);
      if (status !== expected) failures.push(`${method} ${target}: ${status} ${text}`);
      return text;
    } catch (error) {
      failures.push(`${method} ${target}: ${error}`);
      return '';
    } finally {
      responses += 1;
    }
  }

  async function run(client: number): Promise<void> {
    const authorization = `Bearer ${apiKey}`;
    const get = (target: string) => send(target, { headers: { authorization } }, 200);
    for (let number = 0; !isEnding; number += 1) {
      const name = `pet-${client}-${number}`;
      const creation = {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', 'idempotency-key': `"${name}"` },
        body: JSON.stringify({ name, categoryId: client, status: 'available' }),
      };
      const created = await send('/v1/pets', creation, 201);
      const again = await send('/v1/pets', creation, 201);
      if (again !== created) failures.push(`a repetition added ${again} and not ${created}`);
      const { id } = JSON.parse(created);
      petsByName.set(name, [id]);
      const read = await get(`/v1/pets/${id}`);
      if (read !== created) failures.push(`${created} is read as ${read}`);
      await get('/v1/pets');
      await get('/v1/pets?status=available&limit=5');
    }
  }

  const all = Promise.all(Array.from({ length: clients }, (_, client) => run(client)));
  // A client that fails is reported by end(), not as an unhandled rejection.
  all.catch(() => {});
  return {
    async wait(more) {
      const until = responses + more;
      await expect.poll(() => responses, { timeout: 60_000 }).toBeGreaterThan(until);
    },
    async end() {
      isEnding = true;
      await all;
      return { failures, petsByName };
    },
  };
}
