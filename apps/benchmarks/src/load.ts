import autocannon, { type Request } from 'autocannon';
import { API_KEY, PET_COUNT, STATUSES } from './seed.ts';

/** The workloads: their headings, and the shares of lists and creations. All other requests read a single pet. */
export const WORKLOADS = {
  list: { heading: 'list', lists: 1, creations: 0 },
  get: { heading: 'single pets', lists: 0, creations: 0 },
  mix5: { heading: 'mix, 5 % creations', lists: 0.55, creations: 0.05 },
  mix30: { heading: 'mix, 30 % creations', lists: 0.4, creations: 0.3 },
  create: { heading: 'creations', lists: 0, creations: 1 },
  'cached-list': { heading: 'cached list', lists: 1, creations: 0 },
} as const;

export type WorkloadName = keyof typeof WORKLOADS;

const headers = { Authorization: `Bearer ${API_KEY}` };
let serial = 0;

/** Chooses a request of a workload at random. */
function createRequest(name: WorkloadName): Request {
  const { lists, creations } = WORKLOADS[name];
  serial += 1;
  const choice = Math.random();
  if (choice < lists) {
    const status = STATUSES[Math.floor(Math.random() * STATUSES.length)];
    // An unknown parameter makes the URL new for every cache, and changes nothing else.
    const rest = name === 'cached-list' ? '' : `&n=${serial}`;
    return { method: 'GET', path: `/v1/pets?status=${status}&limit=20${rest}`, headers };
  }
  if (choice < lists + creations) {
    return {
      method: 'POST',
      path: '/v1/pets',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: `Ñandú ${serial}`, categoryId: 7, status: 'available' }),
    };
  }
  return { method: 'GET', path: `/v1/pets/${1 + Math.floor(Math.random() * PET_COUNT)}`, headers };
}

export const CONNECTIONS = 32;

const WARM_UP_REQUESTS = 40_000;

/** How long a workload runs after the warm-up. */
const SECONDS = 5;

/**
 * Runs a workload after a warm-up. The warm-up is a number of requests: in a given time, a faster server would be
 * warmed up more.
 * @param processorSeconds returns the processor time used so far
 * @returns requests a second, and microseconds of processor time for each
 * @throws Error when a single request fails
 */
export async function runWorkload(port: number, name: WorkloadName, processorSeconds: () => number) {
  const send = async (end: { duration: number } | { amount: number }) => {
    const { requests, duration, errors, non2xx } = await autocannon({
      url: `http://127.0.0.1:${port}`,
      connections: CONNECTIONS,
      requests: [{ setupRequest: () => createRequest(name) }],
      ...end,
    });
    // Requests that time out are among the errors.
    const failed = errors + non2xx;
    if (failed > 0) throw new Error(`${failed} requests failed under load`);
    return { total: requests.total, duration };
  };
  await send({ amount: WARM_UP_REQUESTS });
  const usedBefore = processorSeconds();
  const { total, duration } = await send({ duration: SECONDS });
  const processorMicroseconds = ((processorSeconds() - usedBefore) * 1_000_000) / total;
  return { requestsPerSecond: total / duration, processorMicroseconds };
}
