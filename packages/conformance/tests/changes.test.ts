import { expect, test } from 'vitest';
import { checksOfChange } from '../src/checks/changes.ts';
import { examplePet } from '../src/pets.ts';
import type { Fetch } from '../src/target.ts';
import { createReferenceServer, failuresOf, targetOf } from './support.ts';

const checks = checksOfChange({
  name: 'replacePet',
  method: 'PUT',
  template: '/pets/{petId}',
  body: examplePet,
  scope: 'write',
});

type Fault = 'ignores If-Match' | 'requires no If-Match' | 'compares too early' | 'repeats the changed pet';

const error = (status: number, code: string) =>
  Response.json({ code, message: `${code}.`, status }, { status });

/** A service that also replaces pets. */
function createService(fault?: Fault): Fetch {
  const reference = createReferenceServer();
  const changed = new Map<string, string>();
  const find = async (url: string, init: RequestInit) => {
    const text = changed.get(url);
    if (text === undefined) return reference(url, { ...init, method: 'GET', body: null });
    const etag = `"${Buffer.from(text).toString('base64url')}"`;
    return new Response(text, { headers: { etag, 'content-type': 'application/json' } });
  };
  return async (url, init) => {
    if (init.method === 'GET') return find(url, init);
    if (init.method === 'POST') {
      const response = await reference(url, init);
      const text = changed.get(`${url}/${/"id":(\d+)/.exec(await response.clone().text())?.[1]}`);
      return fault === 'repeats the changed pet' && text ? new Response(text, response) : response;
    }
    const headers = new Headers(init.headers);
    const ifMatch = headers.get('if-match');
    headers.delete('if-match');
    if (ifMatch === null && fault !== 'requires no If-Match') return error(428, 'precondition_required');
    const before = changed.get(url);
    const etag = (await find(url, { headers })).headers.get('etag');
    const isStale = ifMatch !== null && ifMatch !== etag && fault !== 'ignores If-Match';
    const isLate = changed.get(url) !== before && fault !== 'compares too early';
    if (isStale || isLate) return error(412, 'precondition_failed');
    const [id] = /\d+$/.exec(url) ?? [];
    changed.set(url, `{"id":${id},${String(init.body).slice(1)}`);
    return find(url, { headers });
  };
}

test('A service that replaces pets with their current entity tag passes', async () => {
  expect(await failuresOf(targetOf(createService()), checks)).toEqual(new Map());
});

test.each<[Fault, string]>([
  ['requires no If-Match', 'replacePet returns 428 without If-Match, and changes nothing'],
  [
    'ignores If-Match',
    'replacePet returns 412 for the entity tag of a pet that was changed, and changes nothing',
  ],
  ['compares too early', 'One of ten concurrent replacePet requests with the same entity tag succeeds'],
  ['repeats the changed pet', 'The same Idempotency-Key returns the first response again after replacePet'],
])('A service that %s fails the check: %s', async (fault, name) => {
  expect([...(await failuresOf(targetOf(createService(fault)), checks)).keys()]).toContain(name);
});
