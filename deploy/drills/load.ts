/**
 * Sends creations and lists in turn over 32 connections, each once, and then reads every page:
 *
 *   node deploy/drills/load.ts --url http://127.0.0.1:8080/v1 --key pst_… --seconds 30
 *
 * Prints how many requests failed, and how many acknowledged pets are lost or doubled. Half of the creations have an
 * Idempotency-Key. Ends with 1 when one of the counts is not 0.
 */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';

interface Result {
  status: number | string;
  body: string;
}

const { values } = parseArgs({
  options: { url: { type: 'string' }, key: { type: 'string' }, seconds: { type: 'string', default: '30' } },
});
if (values.url === undefined || values.key === undefined) throw new Error('--url and --key are required');
const { url, key } = values;

const agent = new Agent({ keepAlive: true, maxSockets: 32 });
const run = randomUUID();
const end = Date.now() + Number(values.seconds) * 1000;
const acknowledged = new Set<string>();
const failures = new Map<string, number>();
let requestCount = 0;
let longestMs = 0;

/** Sends a request once. The status of one without a response is the code of its error. */
function send(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Result> {
  const startedAt = performance.now();
  const options = { method, agent, headers: { authorization: `Bearer ${key}`, ...headers } };
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) => resolve({ status: error.code ?? error.message, body: '' });
    const sent = request(url + path, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', fail).on('end', () => {
        longestMs = Math.max(longestMs, performance.now() - startedAt);
        resolve({ status: response.statusCode ?? 0, body: text });
      });
    });
    sent.on('error', fail).end(body);
  });
}

function count(what: string, { status, body }: Result): void {
  const failure = `${what}: ${status} ${body.slice(0, 200)}`;
  failures.set(failure, (failures.get(failure) ?? 0) + 1);
}

async function create(number: number): Promise<void> {
  const name = `${run}-${number}`;
  const keyed = number % 2 === 0 ? { 'idempotency-key': name } : {};
  const headers = { 'content-type': 'application/json', ...keyed };
  const result = await send('POST', '/pets', headers, JSON.stringify({ name, categoryId: 1 }));
  if (result.status === 201) acknowledged.add(name);
  else count('POST', result);
}

async function list(): Promise<void> {
  const result = await send('GET', '/pets?limit=5', {});
  if (result.status !== 200) count('GET', result);
}

async function call(): Promise<void> {
  while (Date.now() < end) {
    const number = requestCount++;
    if (number % 2 === 0) await create(number / 2);
    else await list();
  }
}

/** How often each pet of this run is in the pages. */
async function readPets(): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let next: string | undefined = '?limit=100'; next !== undefined; ) {
    const response = await fetch(`${url}/pets${next}`, { headers: { authorization: `Bearer ${key}` } });
    const pets: unknown = await response.json();
    if (!Array.isArray(pets)) throw new Error(`A list gave ${JSON.stringify(pets)}`);
    for (const { name } of pets) if (name.startsWith(run)) counts.set(name, (counts.get(name) ?? 0) + 1);
    next = /(\?[^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return counts;
}

await Promise.all(Array.from({ length: 32 }, call));
const counts = await readPets();
const lost = [...acknowledged].filter((name) => !counts.has(name)).length;
const doubled = [...counts.values()].filter((times) => times > 1).length;
const failed = [...failures.values()].reduce((sum, times) => sum + times, 0);
console.log(
  `${requestCount} requests, ${failed} failed, the longest took ${Math.round(longestMs)} ms; ` +
    `${acknowledged.size} acknowledged pets, ${lost} lost, ${doubled} doubled`,
);
for (const [failure, times] of failures) console.log(`  ${times} × ${failure}`);
agent.destroy();
if (failed + lost + doubled > 0) process.exitCode = 1;
