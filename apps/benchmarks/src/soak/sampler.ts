import { isErrorCode, statusOf } from '@petstore/contract';
import { hasUsage, memoryOf } from '../process-usage.ts';
import type { Callers, Observation } from './callers.ts';
import type { SoakService } from './service.ts';

/** What was measured in an interval, or at its end. A figure that could not be read is missing. */
export interface Sample extends Observation {
  /** Attempts that failed, by the code of the response, or by the client's code where there was none. */
  failures: Record<string, number>;
  /** The end of the interval, in seconds since the start of the run. */
  at: number;
  /** The length of the interval. */
  seconds: number;
  memoryMb: number | undefined;
  connections: number | undefined;
  /** 99th percentile. */
  eventLoopDelayMs: number | undefined;
  databaseMb: number | undefined;
  writeAheadLogMb: number | undefined;
}

const TIMEOUT_MS = 1_000;
const MEGABYTE = 1_000_000;

/** @returns what takes a sample of the time since the one before */
export function createSampler(service: SoakService, callers: Callers): () => Promise<Sample> {
  const start = performance.now();
  let last = 0;
  let delays: Counters<number> = new Map();
  let errors: Counters<string> = new Map();
  return async () => {
    const [metrics, disk] = await Promise.all([readMetrics(service.server.adminPort), readDisk(service)]);
    const at = (performance.now() - start) / 1_000;
    const delaysBefore = delays;
    const errorsBefore = errors;
    // Where the server is away, what it has counted is kept: the same process may respond again.
    if (metrics !== undefined) {
      delays = readDelays(metrics);
      errors = readErrors(metrics);
    }
    const observation = callers.observe();
    const sample: Sample = {
      ...observation,
      failures: { ...observation.failures, ...Object.fromEntries(since(errorsBefore, errors)) },
      at,
      seconds: at - last,
      memoryMb: readMemory(service.server.pid),
      connections: metrics === undefined ? undefined : readGauge(metrics, 'petstore_connections_open'),
      eventLoopDelayMs: percentileOf(since(delaysBefore, delays), 0.99),
      databaseMb: disk && disk.database / MEGABYTE,
      writeAheadLogMb: disk && disk.writeAheadLog / MEGABYTE,
    };
    last = at;
    return sample;
  };
}

async function readMetrics(port: number): Promise<string | undefined> {
  try {
    const url = `http://127.0.0.1:${port}/metrics`;
    return await (await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })).text();
  } catch {
    // The server is away.
    return undefined;
  }
}

const readDisk = (service: SoakService) =>
  Promise.race([
    service.measureDisk().catch(() => undefined),
    new Promise<undefined>((resolve) => setTimeout(resolve, TIMEOUT_MS, undefined)),
  ]);

function readMemory(pid: number | undefined): number | undefined {
  if (pid === undefined || !hasUsage) return undefined;
  try {
    const megabytes = memoryOf(pid, 'VmRSS');
    // A process that was killed, and that its parent has not waited for yet, has no memory.
    return Number.isNaN(megabytes) ? undefined : megabytes;
  } catch {
    // The process has ended.
    return undefined;
  }
}

function readGauge(metrics: string, name: string): number | undefined {
  const [, value] = new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(metrics) ?? [];
  return value === undefined ? undefined : Number(value);
}

/** Counters by what their labels say. */
type Counters<Label> = ReadonlyMap<Label, number>;

/** How many timers were at most so late, in seconds. */
function readDelays(metrics: string): Counters<number> {
  const lines = metrics.matchAll(/^petstore_event_loop_delay_seconds_bucket\{.*?le="([^"]+)".*?\} (\d+)$/gm);
  return new Map(
    Array.from(lines, ([, bound, count]) => [Number(bound?.replace('+Inf', 'Infinity')), Number(count)]),
  );
}

/** Responses that make callers try again. Those with 4xx are wrong or right by themselves. */
function readErrors(metrics: string): Counters<string> {
  const lines = metrics.matchAll(/^petstore_error_responses_total\{.*?code="(\w+)".*?\} (\d+)$/gm);
  return new Map(
    Array.from(lines, ([, code = '', count]): [string, number] => [code, Number(count)]).filter(
      ([code]) => isErrorCode(code) && statusOf(code) >= 500,
    ),
  );
}

/** What came since an earlier reading: everything, where another process counts now. */
function since<Label>(before: Counters<Label>, now: Counters<Label>): Counters<Label> {
  const hasRestarted = [...before].some(([label, count]) => count > (now.get(label) ?? 0));
  if (hasRestarted) return now;
  return new Map(Array.from(now, ([label, count]) => [label, count - (before.get(label) ?? 0)]));
}

/** Estimates a percentile as Prometheus' `histogram_quantile` does, in milliseconds. */
export function percentileOf(buckets: Counters<number>, share: number): number | undefined {
  const total = buckets.get(Number.POSITIVE_INFINITY) ?? 0;
  if (total === 0) return undefined;
  let lowerBound = 0;
  let lowerCount = 0;
  for (const [bound, count] of buckets) {
    if (count >= share * total) {
      if (bound === Number.POSITIVE_INFINITY) return lowerBound * 1_000;
      const part = (share * total - lowerCount) / (count - lowerCount);
      return (lowerBound + part * (bound - lowerBound)) * 1_000;
    }
    lowerBound = bound;
    lowerCount = count;
  }
  return undefined;
}
