import { Agent, request as send } from 'node:http';
import { createHistogram, performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import type { Load } from './load.ts';
import { createRequests, type Request } from './template.ts';

export interface Latency {
  p50Ms: number;
  p99Ms: number;
}

const NANOSECONDS = 1_000_000;

/**
 * Sends requests at a fixed rate, evenly spaced, and measures each from the moment when it was due: a
 * server that falls behind is charged with the waiting too, as wrk2 does. (autocannon sends the requests
 * of each second in one burst.)
 *
 * @param options.rate requests a second
 * @throws Error when a response is not a 2xx
 */
export async function sendAtFixedRate(
  { port, workload, connections }: Load,
  { rate, seconds }: { rate: number; seconds: number },
): Promise<Latency> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const nextRequest = createRequests(workload);
  const histogram = createHistogram();
  const responses: Promise<unknown>[] = [];
  const failures: unknown[] = [];
  const start = performance.now();
  for (let index = 0; index < rate * seconds; index += 1) {
    const due = start + (index * 1_000) / rate;
    // A timer may be late by a millisecond, a turn of the event loop is not.
    while (performance.now() < due) await setImmediate();
    const response = sendRequest(agent, port, nextRequest()).then(() => {
      histogram.record(Math.max(1, Math.round((performance.now() - due) * NANOSECONDS)));
    });
    responses.push(response.catch((error: unknown) => failures.push(error)));
  }
  await Promise.all(responses);
  agent.destroy();
  if (failures.length > 0) throw failures[0];
  return {
    p50Ms: histogram.percentile(50) / NANOSECONDS,
    p99Ms: histogram.percentile(99) / NANOSECONDS,
  };
}

/** Resolves when a 2xx response is complete. */
function sendRequest(agent: Agent, port: number, { method, path, headers, body }: Request): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = send({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
      const status = response.statusCode ?? 0;
      response.on('end', () =>
        status >= 200 && status < 300 ? resolve() : reject(new Error(`${method} ${path} gave ${status}`)),
      );
      response.on('error', reject);
      response.resume();
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
