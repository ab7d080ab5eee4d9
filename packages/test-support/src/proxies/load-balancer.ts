import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpProxy, startHttpProxy } from './http-proxy.ts';

/** How often a server is asked whether it is ready. */
const CHECK_INTERVAL_MS = 50;

export interface LoadBalancer extends HttpProxy {
  /** Adds a server, and waits until it is ready. */
  add(origin: string): Promise<void>;
}

/**
 * Starts a load balancer that sends each request, once, to one of the servers whose `/readyz` last responded
 * 200, in turn. A server that does not respond is out of service too, and no request is repeated.
 */
export async function startLoadBalancer(): Promise<LoadBalancer> {
  const ready = new Set<string>();
  const isClosed = new AbortController();

  async function check(origin: string): Promise<boolean> {
    const isReady = await fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) ready.add(origin);
    else ready.delete(origin);
    return isReady;
  }

  async function watch(origin: string): Promise<void> {
    while (!isClosed.signal.aborted && (await check(origin))) await sleep(CHECK_INTERVAL_MS);
  }

  const proxy = await startHttpProxy({
    target(index) {
      const origin = [...ready][index % ready.size];
      if (origin === undefined) throw new Error('No server is ready');
      return origin;
    },
  });
  return {
    ...proxy,
    async add(origin) {
      while (!(await check(origin))) await sleep(CHECK_INTERVAL_MS);
      void watch(origin);
    },
    async [Symbol.asyncDispose]() {
      isClosed.abort();
      await proxy[Symbol.asyncDispose]();
    },
  };
}
