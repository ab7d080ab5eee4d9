import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeCursor, Pets } from '@petstore/contract';
import { Load, quantile } from '@petstore/test-support/load';
import type { RunningServer } from '../start-server.ts';

const PAGE = 100;
const READER_PAUSE_MS = 20;

type Server = Pick<RunningServer, 'petsUrl' | 'port'>;

export interface FleetLoad {
  apiKey: string;
  /** Callers of each server. Each sends its next creation when the one before is acknowledged. */
  callers: number;
  /** The newest pet so far: a reader follows the pages from here on. */
  newestId: number;
  warmUpMs: number;
  seconds: number;
}

export interface FleetResult {
  creationsPerSecond: number;
  p50Ms: number;
  /** Those of the warm-up included. */
  created: number;
  /** Creations that got 503, as on a machine that is too busy. */
  refused: number;
}

/**
 * Creates pets at all servers of one database, with an Idempotency-Key each, while a reader follows the pages.
 *
 * @throws Error when a creation fails for another reason than overload, or when the reader skips a pet or sees one twice
 */
export async function createAtFleet(servers: readonly Server[], options: FleetLoad): Promise<FleetResult> {
  const ids: number[] = [];
  let latencies: number[] = [];
  let refused = 0;
  let isEnding = false;
  const ended = new AbortController();

  async function create(load: Load): Promise<void> {
    while (!isEnding) {
      const { status, latencyMs, text } = await load.send();
      if (status === 503) refused += 1;
      else if (status !== 201) throw new Error(`The response to a creation is ${text}`);
      else {
        ids.push(idOf(text));
        latencies.push(latencyMs);
      }
    }
  }

  async function createAt({ port }: Server): Promise<void> {
    const { apiKey, callers: connections } = options;
    const request = createRequests(apiKey);
    await using load = await Load.open(`http://127.0.0.1:${port}`, { request, connections });
    await Promise.all(Array.from({ length: connections }, () => create(load)));
  }

  const reader = readInOrder(servers, options, ended.signal);
  const callers = Promise.all(servers.map(createAt));
  await Promise.race([callers, sleep(options.warmUpMs)]);
  latencies = [];
  await Promise.race([callers, sleep(options.seconds * 1_000)]);
  const creationsPerSecond = latencies.length / options.seconds;
  const p50Ms = quantile(latencies, 0.5);
  isEnding = true;
  await callers;
  ended.abort();
  checkOrder(await reader, ids);
  return { creationsPerSecond, p50Ms, created: ids.length, refused };
}

/** @throws Error when pets were read twice or out of order, or some that were acknowledged were not read */
function checkOrder(read: readonly number[], acknowledged: readonly number[]): void {
  const seen = new Set(read);
  const missing = acknowledged.filter((id) => !seen.has(id)).length;
  const misplaced = read.filter((id, index) => id <= (read[index - 1] ?? 0)).length;
  if (missing + misplaced > 0) {
    throw new Error(
      `Of ${acknowledged.length} new pets the reader skipped ${missing}; ${misplaced} were out of order`,
    );
  }
}

/** Makes creations that differ from all others, as they go over the wire. */
function createRequests(apiKey: string): () => string {
  const run = randomUUID();
  let serial = 0;
  return () => {
    serial += 1;
    const body = JSON.stringify({ name: `Otter ${serial}`, categoryId: 7, status: 'available' });
    return [
      'POST /v1/pets HTTP/1.1',
      'Host: 127.0.0.1',
      `Authorization: Bearer ${apiKey}`,
      'Content-Type: application/json',
      `Idempotency-Key: "${run}-${serial}"`,
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n');
  };
}

/** Reads what is new, page by page and each from another server, until nothing is new after the last creation. */
async function readInOrder(
  servers: readonly Server[],
  { apiKey, newestId }: FleetLoad,
  ended: AbortSignal,
): Promise<number[]> {
  const ids: number[] = [];
  for (let page = 0; ; page += 1) {
    const isLast = ended.aborted;
    const cursor = encodeCursor({ after: ids.at(-1) ?? newestId });
    const server = servers[page % servers.length];
    const response = await fetch(`${server?.petsUrl}?limit=${PAGE}&cursor=${cursor}`, {
      headers: { Authorization: `Bearer ${apiKey}` },
    });
    const pets = Pets.parse(await response.json());
    ids.push(...pets.map(({ id }) => Number(id)));
    if (pets.length === 0 && isLast) return ids;
    if (pets.length < PAGE) await sleep(READER_PAUSE_MS);
  }
}

/** The id in a response with its headers. */
function idOf(response: string): number {
  const [, id] = /"id":(\d+)/.exec(response) ?? [];
  return Number(id);
}
