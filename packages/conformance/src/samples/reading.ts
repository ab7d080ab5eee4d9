import { int64Bounds } from '@petstore/contract';
import { send } from '../http/send.ts';
import type { Target } from '../http/target.ts';
import { pageSize } from '../interface.ts';
import { addPet, petsOf, unusedId } from '../pets/pets.ts';
import { type Facts, type Request, type Sample, samplesOf } from './sample.ts';

const get = (path: string, headers = {}): Request => ({ method: 'GET', path, headers });

const { minimum, maximum } = pageSize;

const badQueries: Record<string, string> = {
  [`limit is ${minimum - 1}`]: `limit=${minimum - 1}`,
  'limit is nothing but zeros': 'limit=000',
  [`limit is ${maximum + 1}`]: `limit=${maximum + 1}`,
  'limit is negative': 'limit=-1',
  'limit is a fraction': 'limit=1.5',
  'limit is hexadecimal (0x10)': 'limit=0x10',
  'limit has an exponent (1e1)': 'limit=1e1',
  'limit has a plus sign (+5)': 'limit=%2B5',
  'limit has spaces around it': 'limit=%205%20',
  'limit is empty': 'limit=',
  'limit has no value': 'limit',
  'limit is a word': 'limit=many',
  'limit is written in other digits than 0 to 9': 'limit=%D9%A5',
  'limit is huge': `limit=${'9'.repeat(40)}`,
  'limit is repeated': 'limit=5&limit=5',
  'status is one that PetStatus does not have': 'status=adopted',
  'status is one in capitals': 'status=Available',
  'status is empty': 'status=',
  'status is a list': 'status=available,sold',
  'status is repeated': 'status=sold&status=sold',
  'cursor is one that the service never returned': 'cursor=no-such-cursor',
  'cursor has characters that no cursor has': 'cursor=%00%25%26',
  'cursor is empty': 'cursor=',
  'cursor is a plain number': 'cursor=20',
};

const badIds = {
  'a word': 'abc',
  'a fraction': '1.5',
  hexadecimal: '0x10',
  'a space': '%20',
  'beyond int64': `${int64Bounds.maximum + 1n}`,
  huge: '9'.repeat(60),
  'an encoded slash': '1%2F2',
  'a broken percent-encoding': '%ZZ',
};

/** Headers that a request sends with the current entity tag. */
type HeadersOf = (etag: string) => Record<string, string>;

/** Without Cache-Control, `fetch` adds no-cache to a conditional request. Only one sample tests no-cache. */
export const ifNoneMatch = (tags: string) => ({ 'If-None-Match': tags, 'Cache-Control': 'max-age=0' });

const weak = (etag: string) => `W/${etag.replace(/^W\//, '')}`;

/** No weak entity tag matches an If-Match (RFC 9110, section 13.1.1). A gateway that compresses makes tags weak. */
const ifMatch = (etag: string, others = '') => ({
  'If-Match': etag.startsWith('W/') ? '*' : `${others}${etag}`,
});

const notModified: Record<string, HeadersOf> = {
  'If-None-Match has the current entity tag': ifNoneMatch,
  'If-None-Match has several entity tags': (etag) => ifNoneMatch(`"another", ${etag}`),
  'If-None-Match has a weak entity tag': (etag) => ifNoneMatch(weak(etag)),
  'If-None-Match has several weak entity tags': (etag) => ifNoneMatch(`W/"another", ${weak(etag)}`),
  'If-None-Match is *': () => ifNoneMatch('*'),
  'fetch adds Cache-Control: no-cache': (etag) => ({ 'If-None-Match': etag, 'Cache-Control': 'no-cache' }),
};

const ok: Record<string, HeadersOf> = {
  'the request has no condition': () => ({}),
  'If-None-Match has another entity tag': () => ifNoneMatch('"another"'),
  'If-Match has the current entity tag': (etag) => ifMatch(etag),
  'If-Match has several entity tags': (etag) => ifMatch(etag, '"another", '),
  'If-Match is *': () => ({ 'If-Match': '*' }),
};

const otherTag = { 'If-Match has another entity tag': () => ({ 'If-Match': '"another"' }) };

type PathOf = (target: Target) => Promise<string>;

/** Conditional requests for a representation with an entity tag. */
function conditional(operation: Pick<Facts, 'operation' | 'readOnly'>, pathOf: PathOf): Sample[] {
  const facts = { ...operation, cites: 'decision: conditional requests' } as const;
  const prepare = async (headersOf: HeadersOf, target: Target) => {
    const path = await pathOf(target);
    return get(path, headersOf((await send(target, 'GET', path)).headers.get('etag') ?? ''));
  };
  return [
    ...samplesOf({ ...facts, expected: 200 }, 'when …', ok, prepare),
    ...samplesOf({ ...facts, expected: 304 }, 'when …', notModified, prepare),
    ...samplesOf({ ...facts, expected: ['precondition_failed'] }, 'when …', otherTag, prepare),
  ];
}

/** From the third pet on, pets of other callers change neither this page nor its next link, so its entity tag stays. */
const PAGE = '/pets?limit=1';

async function findOrAddPet(target: Target): Promise<string> {
  const [first] = petsOf(await send(target, 'GET', PAGE));
  return `/pets/${(first ?? (await addPet(target))).id}`;
}

const NOT_FOUND = ['pet_not_found', 'path_not_found'] as const;
const listPets = { operation: 'listPets', readOnly: true } as const;
const getPet = { operation: 'getPet', readOnly: true } as const;

export const readingSamples: readonly Sample[] = [
  ...samplesOf(
    { ...listPets, cites: 'decision: bad limit, status or cursor', expected: ['invalid_parameter'] },
    'when …',
    badQueries,
    (query) => get(`/pets?${query}`),
  ),
  ...conditional(listPets, async () => PAGE),
  ...conditional({ ...getPet, readOnly: false }, findOrAddPet),
  ...samplesOf(
    { ...getPet, cites: 'interface: getPet (404)', expected: ['pet_not_found'] },
    'for …',
    { 'an id that no pet has': unusedId },
    (idOf) => get(`/pets/${idOf()}`),
  ),
  ...samplesOf(
    { ...getPet, cites: 'decision: petId that is not an int64', expected: NOT_FOUND },
    'when petId is …',
    badIds,
    (petId) => get(`/pets/${petId}`),
  ),
];
