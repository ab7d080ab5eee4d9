import { Agent, request as send } from 'node:http';
import { createHistogram, performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import type { Load, Request } from './request.ts';

export interface Latency {
  p50Ms: number;
  p99Ms: number;
}

const NANOSECONDS = 1_000_000;

/**
 * Sends requests at a fixed rate, evenly spaced, and measures each from the moment when it was due: a
 * server that falls behind is charged with the waiting too, as wrk2 does. (autocannon sends the
 * requests of a second in one burst at its beginning.)
 *
 * @param rate requests a second
 * @throws Error when a request is not answered with 2xx
 */
export async function fixedRate(
  { port, requests, connections, seconds }: Load,
  rate: number,
): Promise<Latency> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const histogram = createHistogram();
  const answers: Promise<unknown>[] = [];
  const failures: unknown[] = [];
  const start = performance.now();
  for (let index = 0; index < rate * seconds; index += 1) {
    const due = start + (index * 1_000) / rate;
    // A timer is late by a millisecond; turns of the event loop are not.
    while (performance.now() < due) await setImmediate();
    const request = requests[index % requests.length];
    if (request === undefined) throw new Error('There is nothing to send');
    const measured = answer(agent, port, request).then(() => {
      histogram.record(Math.max(1, Math.round((performance.now() - due) * NANOSECONDS)));
    });
    answers.push(measured.catch((error: unknown) => failures.push(error)));
  }
  await Promise.all(answers);
  agent.destroy();
  if (failures.length > 0) throw failures[0];
  return {
    p50Ms: histogram.percentile(50) / NANOSECONDS,
    p99Ms: histogram.percentile(99) / NANOSECONDS,
  };
}

/** Resolves when the last byte of a 2xx answer is there. */
function answer(agent: Agent, port: number, { method, path, headers, body }: Request): Promise<void> {
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
