import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import type { Check } from '../src/check.ts';
import { concurrentPagination, PETS_PER_WRITER, WRITERS } from '../src/checks/concurrent-pagination.ts';
import { createPet } from '../src/checks/create-pet.ts';
import { entityTags } from '../src/checks/entity-tags.ts';
import { checks, interfaceChecks, scopeChecks } from '../src/checks/index.ts';
import { rateLimit } from '../src/checks/rate-limit.ts';
import { ConformanceError } from '../src/http/conformance-error.ts';
import type { Fetch } from '../src/http/target.ts';
import { operations } from '../src/operations.ts';
import { addPet } from '../src/pets/pets.ts';
import { contractDefects, samples } from './contract-defects.ts';
import { changesRequest, changesResponse, defects, refusesInFlight, rewrites } from './defects.ts';
import { createReferenceServer, failuresOf, targetOf } from './support.ts';

const everyCheck = [...checks, ...scopeChecks];
const readOnlyChecks = everyCheck.filter(({ readOnly }) => readOnly);

for (const check of everyCheck)
  test(`The reference server passes: ${check.name}`, async () => {
    const methods: string[] = [];
    const records = changesRequest(({ method }) => methods.push(method));
    await check.run(targetOf(records(createReferenceServer())));
    const writes = operations.some(({ scope, method }) => scope === 'write' && methods.includes(method));
    if (!check.readOnly) expect(writes, 'a check that is not read-only writes').toBe(true);
  });

test('The check that createPet adds exactly one pet passes when its two pets are on different pages', async () => {
  const counting = createPet.filter(({ name }) => name === 'createPet adds exactly one pet each time');
  // The second pet after 99 others is the first of another page.
  expect(await failuresOf(targetOf(createReferenceServer(99)), counting)).toEqual(new Map());
  expect(counting).toHaveLength(1);
});

// 200 is the highest limit that the check tries to reach. The first response has `t=0`, which is correct, too.
test.each([3, 200])('A service with a limit of %d passes the check of a request beyond it', async (quota) => {
  let requests = 0;
  const limits = changesResponse(({ headers }) => {
    requests += 1;
    headers.set('ratelimit-policy', `"default";q=${quota};w=60`);
    headers.set('ratelimit', `"default";r=${Math.max(0, quota - requests)};t=${requests - 1}`);
    if (requests <= quota) return;
    headers.set('retry-after', '60');
    return { status: 429, text: '{"code":"rate_limited","message":"Later.","status":429}' };
  });
  expect(await failuresOf(targetOf(limits(createReferenceServer())), rateLimit)).toEqual(new Map());
  expect(requests).toBe(quota + 1);
});

test('A service to which another client adds pets passes the checks of entity tags', async () => {
  const reference = createReferenceServer();
  const busy: Fetch = async (url, init) => {
    if (init.method === 'GET') await addPet(targetOf(reference));
    return reference(url, init);
  };
  expect(await failuresOf(targetOf(busy), entityTags)).toEqual(new Map());
});

test('A service behind a gateway that rewrites ETag and Cache-Control, and knows no length for HEAD, passes every check', async () => {
  const gateway = changesResponse(({ status, headers, text }, { method }) => {
    const etag = headers.get('etag');
    // HAProxy makes the tag of a response that it compresses weak. It compresses no 304, and no response to HEAD.
    if (etag !== null && status === 200 && method === 'GET') headers.set('etag', `W/${etag}`);
    const cacheControl = headers.get('cache-control');
    if (cacheControl !== null) headers.set('cache-control', cacheControl.replace(', ', ','));
    if (method === 'GET') headers.set('content-length', `${text.length}`);
  });
  expect(await failuresOf(targetOf(gateway(createReferenceServer())), everyCheck)).toEqual(new Map());
});

const reordersAllow = changesResponse(({ headers }) => {
  const allow = headers.get('allow');
  if (allow !== null) headers.set('allow', `OPTIONS,${allow.split(', ').toReversed().join()}`);
});
const usesOneCode = changesResponse(({ text }) => ({ text: text.replace('malformed_json', 'invalid_body') }));

test.each([
  ['whose Allow has OPTIONS, and the methods in another order,', /in Allow$/, reordersAllow, 1],
  ['that refuses an Idempotency-Key in flight with Retry-After: 1', / concurrent /, refusesInFlight('1'), 2],
  ['whose OpenAPI paths have the version prefix', /^\/openapi/, rewrites('"/pets', '"/v1/pets'), 2],
  ['with one code for invalid and malformed bodies', /^createPet 400 stays/, usesOneCode, 1],
])('A service %s passes the checks %s', async (_which, names, serviceOf, count) => {
  const lenient = everyCheck.filter(({ name }) => names.test(name));
  expect(await failuresOf(targetOf(serviceOf(createReferenceServer())), lenient)).toEqual(new Map());
  expect(lenient).toHaveLength(count);
});

test('A page made before the last creations, and received after them, is read again before pets count as missing', async () => {
  const reference = createReferenceServer();
  const allWritten = Promise.withResolvers<void>();
  let posts = 0;
  const holdsPages: Fetch = async (url, init) => {
    const response = await reference(url, init);
    if (init.method === 'POST') posts += 1;
    // Before its writers and readers start, the check adds one pet, and finds its page: that page must not wait.
    else if (posts > 1) await allWritten.promise;
    // The pages wait for 20 ms longer, so that the last writer has its response by then.
    if (posts === 1 + WRITERS * PETS_PER_WRITER) setTimeout(allWritten.resolve, 20);
    return response;
  };
  expect(await failuresOf(targetOf(holdsPages), concurrentPagination)).toEqual(new Map());
});

test.each(['GET', 'POST'])('After failing on a %s, concurrent pagination sends nothing', async (method) => {
  const reference = createReferenceServer();
  let posts = 0;
  const faulty = vi.fn<Fetch>(async (url, init) => {
    // When the check fails, most writers are waiting for their responses.
    if (init.method === 'POST' && posts > 1) await sleep(10);
    if (init.method === 'POST') posts += 1;
    return posts > 1 && init.method === method ? new Response('') : reference(url, init);
  });
  expect((await failuresOf(targetOf(faulty), concurrentPagination)).size).toBe(1);
  const { length } = faulty.mock.calls;
  // Time in which a reader or a writer that goes on would send a request.
  await sleep(50);
  expect(faulty).toHaveBeenCalledTimes(length);
});

test('The read-only checks send no pet and no DELETE of the collection, because a faulty deployment could obey', async () => {
  const sent: string[] = [];
  const records = changesRequest(({ method, url, text }) => sent.push(`${method} ${url.pathname} ${text}`));
  await failuresOf(targetOf(records(createReferenceServer())), readOnlyChecks);
  expect(sent).not.toEqual([]);
  expect(sent.filter((text) => /categoryId|^DELETE \S*\/pets /.test(text))).toEqual([]);
});

const allDefects = [
  ...Object.entries(defects).map(([defect, [foundBy, breaks]]) => [defect, foundBy, breaks] as const),
  ...contractDefects,
];

test.concurrent.each(allDefects)('Checks find the defect %s: %s', async (_defect, foundBy, breaks) => {
  const named = everyCheck.filter(({ name }) => foundBy.test(name));
  expect(named).not.toEqual([]);
  for (const check of named) {
    // 120 pets fill two pages. Read-only checks need them, because they add none.
    for (const petCount of check.readOnly ? [120] : [0, 120]) {
      const failures = await failuresOf(targetOf(breaks(createReferenceServer(petCount))), [check]);
      expect([...failures]).toEqual([[check.name, expect.any(ConformanceError)]]);
    }
  }
});

describe('Each check', () => {
  test('finds a defect', () => {
    const found = ({ name }: Check) => allDefects.some(([, foundBy]) => foundBy.test(name));
    expect(everyCheck.filter((check) => !found(check)).map(({ name }) => name)).toEqual([]);
  });

  test('has a name of its own', () => {
    expect(new Set(everyCheck.map(({ name }) => name)).size).toBe(everyCheck.length);
  });

  test('of a sample sends a request of its own', async () => {
    const target = targetOf(createReferenceServer());
    const requests = await Promise.all(samples.map(async ({ prepare }) => inspect(await prepare(target))));
    expect(requests).toEqual([...new Set(requests)]);
  });

  test('of the interface profile cites only the interface document, since any service must pass it', () => {
    expect(interfaceChecks.filter(({ cites }) => !/^interface: [^;]+$/.test(cites))).toEqual([]);
  });

  const read = (file: string) => readFileSync(new URL(`../../contract/${file}`, import.meta.url), 'utf8');
  /** The headings of the interface document, as in `getPet` for `### getPet: GET /pets/{petId} (deprecated)`. */
  const sections = read('interface.md').match(/(?<=^#+ )[^:(\n]*[^:(\s]/gm);
  /** The first column of the tables of decisions in the contract's README, without code marks. */
  const [, tables = ''] = read('README.md').split('## Where the interface document is silent');
  const decisions = tables.replaceAll('`', '').match(/(?<=^\| )[^|]*[^|\s](?= +\|)/gm);
  /** The details of a citation: text in parentheses, and numbers as in "Authentication 1 and 3". */
  const details = / \(.*\)$|(?<=^interface: \D+) \d(?: and \d)?$/g;
  const cited = everyCheck.flatMap(({ cites }) => cites.split('; ').map((text) => text.replace(details, '')));

  test.each([...new Set(cited)])('cites a place that exists: %s', (citation) => {
    const [source = '', place = ''] = citation.split(': ');
    if (source === 'interface') expect(sections).toContain(place);
    else if (source === 'decision')
      expect(decisions, 'a row of packages/contract/README.md').toContain(place);
    else expect(citation).toMatch(/^RFC \d+( section [\d.]+)?$/);
  });
});
