import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryDatabase } from '@petstore/test-support/databases/databases';
import { engines } from '@petstore/test-support/databases/engines';
import { startLoadBalancer } from '@petstore/test-support/proxies/load-balancer';
import { FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import { expect, test } from 'vitest';
import { readPetsByName } from '#support/pets-by-name';

// A connection for each request: what is tested is that none is refused. An idle connection that a caller uses
// again at the moment in which the server closes it is another matter, and a question of time.
const headers = {
  authorization: `Bearer ${FIXED_KEY}`,
  'content-type': 'application/json',
  connection: 'close',
};

/** Between the rounds of a caller, so that the callers together do not take the processor from other tests. */
const PAUSE_MS = 100;

/**
 * Calls a service from several callers at once until it is told to end: each creates a pet, lists pets, and
 * begins again after a pause. No request is repeated.
 */
function startCallers(origin: string, count: number) {
  let isEnding = false;
  const created: string[] = [];
  const failures: unknown[] = [];
  const expectStatus = async (status: number, path: string, init: RequestInit) => {
    const response = await fetch(`${origin}/v1/pets${path}`, { ...init, headers });
    const text = await response.text();
    if (response.status !== status) failures.push(`${response.status} ${text}`);
  };
  async function call(caller: number): Promise<void> {
    for (let round = 0; !isEnding; round += 1) {
      const name = `${caller}-${round}`;
      try {
        await expectStatus(201, '', { method: 'POST', body: JSON.stringify({ name, categoryId: 1 }) });
        created.push(name);
        await expectStatus(200, '?limit=1', {});
      } catch (error) {
        failures.push(error instanceof Error ? error.cause : error);
      }
      await sleep(PAUSE_MS);
    }
  }
  const calls = Array.from({ length: count }, (_, caller) => call(caller));
  return {
    created,
    failures,
    async end() {
      isEnding = true;
      await Promise.all(calls);
    },
  };
}

test.each(engines)(
  'over %s, two servers behind a load balancer restart one after another under load without a failed request',
  async (engine) => {
    await using database = await temporaryDatabase(engine);
    await using balancer = await startLoadBalancer();
    // Longer than the load balancer takes to notice that /readyz responds 503, on a busy machine too.
    const start = () => startServer({ DATABASE_URL: database.url, SHUTDOWN_GRACE_MS: '5000' });
    const servers = [await start(), await start()];
    try {
      for (const { origin } of servers) await balancer.add(origin);
      const callers = startCallers(balancer.origin, 8);
      for (const server of servers.slice()) {
        const before = callers.created.length;
        await expect.poll(() => callers.created.length, { timeout: 60_000 }).toBeGreaterThan(before + 20);
        expect(await server.stop()).toEqual({ code: 0, signal: null });
        const next = await start();
        servers.push(next);
        await balancer.add(next.origin);
      }
      await callers.end();
      expect(callers.failures).toEqual([]);
      const names = [...(await readPetsByName(`${balancer.origin}/v1`)).keys()];
      expect(names.toSorted()).toEqual(callers.created.toSorted());
    } finally {
      await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
    }
  },
);
