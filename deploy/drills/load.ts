/**
 * Calls servers until it gets SIGTERM. Then it prints what callers noticed, as a row of the table of patroni/drill.sh:
 *
 *   node deploy/drills/load.ts --name switchover --key pst_… --url http://127.0.0.1:3001/v1 --url http://127.0.0.1:3002/v1
 *
 * Writers use the client with its default options. Probes send a creation and a list to each server every 100 ms without
 * retries: after a failed probe, the time since the previous one counts as unavailable. A reader of each server looks for
 * acknowledged pets, which may be missing. Another reader follows the pages and stays at the last. Each time is that of
 * its worst server.
 *
 * At the end, all pages are read once more. Lost pets were acknowledged and are not there, doubled pets are there twice.
 * Skipped pets are there, but the other reader did not see them. Pets that were taken back were seen, and are gone.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createPetStore } from '../../packages/client/src/index.ts';

const { values } = parseArgs({
  options: {
    name: { type: 'string', default: '' },
    key: { type: 'string', default: '' },
    url: { type: 'string', multiple: true, default: [] },
  },
});
const { name: drill, key, url: urls } = values;
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
const run = randomUUID();
let isStopping = false;
process.once('SIGTERM', () => {
  isStopping = true;
});

/** The pause between two requests, and the time limit of a request, for all but the writers. */
const PAUSE_MS = 100;
const REQUEST_TIMEOUT_MS = 10_000;

const acknowledged = new Set<string>();
/** The pet that was acknowledged last, and when. */
let latest: { id: number | bigint; at: number } | undefined;
let failedCalls = 0;
let callCount = 0;

async function write(baseUrl: string, writer: number): Promise<void> {
  const store = createPetStore({ baseUrl, apiKey: key });
  for (let number = 0; !isStopping; number += 1) {
    const name = `${run}-${writer}-${number}`;
    callCount += 1;
    try {
      const { id } = await store.createPet({ name, categoryId: 1 });
      acknowledged.add(name);
      latest = { id, at: performance.now() };
    } catch (error) {
      failedCalls += 1;
      console.error(`${new Date().toISOString()} ${drill}: ${error}`);
    }
    // Short, because each creation is a chance to notice a lost pet.
    await sleep(10);
  }
}

/** Sends a request, and reads the response. @returns `undefined` for a request that failed or took too long */
async function send(url: string, init: RequestInit = {}) {
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  try {
    const response = await fetch(url, { ...init, headers, signal });
    return { status: response.status, link: response.headers.get('link') ?? '', text: await response.text() };
  } catch {
    return undefined;
  }
}

/** Sends a request after each pause. @returns for how many milliseconds the responses were not as expected */
async function probe(status: number, url: string, init?: RequestInit): Promise<number> {
  let unavailableMs = 0;
  let lastAt = performance.now();
  while (!isStopping) {
    const response = await send(url, init);
    const now = performance.now();
    if (response?.status !== status) unavailableMs += now - lastAt;
    lastAt = now;
    await sleep(PAUSE_MS);
  }
  return unavailableMs;
}

/** @returns the longest time in which a server responded 404 for an acknowledged pet, in milliseconds */
async function measureMissing(baseUrl: string): Promise<number> {
  let longestMs = 0;
  /** The pet to look for, until it is found. */
  let pet: typeof latest;
  while (!isStopping) {
    pet ??= latest;
    if (pet !== undefined) {
      const askedAt = performance.now();
      const response = await send(`${baseUrl}/pets/${pet.id}`);
      if (response?.status === 404) longestMs = Math.max(longestMs, askedAt - pet.at);
      if (response?.status === 200) pet = undefined;
    }
    await sleep(PAUSE_MS);
  }
  return longestMs;
}

/** Reads pages to the end, and repeats the last page until `isOver`. @returns each name of this run that a page had */
async function readPages(baseUrl: string, isOver: () => boolean): Promise<string[]> {
  const names: string[] = [];
  let query = '?limit=100';
  for (;;) {
    const isLastPass = isOver(); // Asked before the request: an older page may lack the last pets.
    const response = await send(`${baseUrl}/pets${query}`);
    const next = /(\?[^>]*)>; rel="next"/.exec(response?.link ?? '')?.[1];
    if (response?.status === 200) {
      const pets: { name: string }[] = JSON.parse(response.text);
      names.push(...pets.map(({ name }) => name).filter((name) => name.startsWith(run)));
      if (next === undefined && isLastPass) return names;
    }
    if (next === undefined) await sleep(PAUSE_MS);
    query = next ?? query;
  }
}

const [firstUrl = ''] = urls;
let isWritingOver = false;
const reading = readPages(firstUrl, () => isWritingOver);
const creation = { method: 'POST', body: JSON.stringify({ name: `probe ${run}`, categoryId: 2 }) };
const creationsUnavailable = Promise.all(urls.map((url) => probe(201, `${url}/pets`, creation)));
const listsUnavailable = Promise.all(urls.map((url) => probe(200, `${url}/pets?limit=1`)));
const petsMissing = Promise.all(urls.map(measureMissing));
await Promise.all(urls.flatMap((url, index) => [write(url, 2 * index), write(url, 2 * index + 1)]));
const times = await Promise.all([creationsUnavailable, listsUnavailable, petsMissing]);
const longestSeconds = times.map((ofServers) => (Math.max(...ofServers) / 1000).toFixed(1));
isWritingOver = true;
const seen = new Set(await reading);

const names = await readPages(firstUrl, () => true);
const stored = new Set(names);
const lost = [...acknowledged].filter((name) => !stored.has(name)).length;
const doubled = names.length - stored.size;
const skipped = [...stored].filter((name) => !seen.has(name)).length;
const takenBack = [...seen].filter((name) => !stored.has(name)).length;
const faults = [lost, doubled, skipped, takenBack];
const cells = [drill, ...longestSeconds, `${failedCalls} of ${callCount}`];
console.log(`| ${[...cells, ...faults].join(' | ')} |`);
if (faults.some((count) => count > 0)) process.exitCode = 1;
