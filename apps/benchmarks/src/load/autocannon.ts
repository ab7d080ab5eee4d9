import autocannonOf from 'autocannon';
import type { Load, LoadResult } from './request.ts';

/** Sends a load with autocannon, from this process. */
export async function autocannon({ port, requests, connections, seconds }: Load): Promise<LoadResult> {
  const {
    requests: sent,
    duration,
    errors,
    timeouts,
    non2xx,
  } = await autocannonOf({
    url: `http://127.0.0.1:${port}`,
    connections,
    duration: seconds,
    requests: [...requests],
  });
  return {
    requestsPerSecond: sent.total / duration,
    answered: sent.total,
    failed: errors + timeouts + non2xx,
  };
}
