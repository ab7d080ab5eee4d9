import runAutocannon from 'autocannon';
import type { Load, LoadResult } from './load.ts';
import { createRequests } from './template.ts';

/** Sends a load with autocannon, from this process. */
export const autocannon = (load: Load, seconds: number) => send(load, { duration: seconds });

/** Sends so many requests with autocannon. (wrk knows no other end than a time.) */
export const sendRequests = (load: Load, amount: number) => send(load, { amount });

async function send(
  { port, workload, connections }: Load,
  end: { duration: number } | { amount: number },
): Promise<LoadResult> {
  const { requests, duration, errors, timeouts, non2xx } = await runAutocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    requests: [{ setupRequest: createRequests(workload) }],
    ...end,
  });
  return {
    requestsPerSecond: requests.total / duration,
    responses: requests.total,
    failed: errors + timeouts + non2xx,
  };
}
