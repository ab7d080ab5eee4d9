import runAutocannon from 'autocannon';
import type { Load, LoadResult } from './generator.ts';
import { createRequests } from './template.ts';

/** Sends a load with autocannon, from this process. */
export async function autocannon({ port, workload, connections, seconds }: Load): Promise<LoadResult> {
  const nextRequest = createRequests(workload);
  const { requests, duration, errors, timeouts, non2xx } = await runAutocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    duration: seconds,
    requests: [{ setupRequest: nextRequest }],
  });
  return {
    requestsPerSecond: requests.total / duration,
    responses: requests.total,
    failed: errors + timeouts + non2xx,
  };
}
