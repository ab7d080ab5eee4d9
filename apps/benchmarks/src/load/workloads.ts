import { STATUSES } from '../data/pets.ts';
import type { Request, RequestTemplate, Workload } from './template.ts';

/** Pets that are asked for again and again, few enough for every cache. */
const POPULAR_PETS = 1_000;

/** The workloads with the headings of their columns, as in the tables. */
export const UNCACHED = {
  list: 'list',
  get: 'get',
  mix5: 'mix, 5 % creations',
  mix30: 'mix, 30 % creations',
  create: 'create',
} as const;
export const CACHED = { 'cached-list': 'list', 'cached-get': 'get' } as const;

export type UncachedName = keyof typeof UNCACHED;
export type WorkloadName = UncachedName | keyof typeof CACHED;

/** For `--help`. */
export const DESCRIPTIONS: Record<WorkloadName, string> = {
  list: '20 pets of a status, by a URL that is never asked for twice',
  get: 'single pets at random ids of the whole catalogue',
  mix5: '55 % of list, 40 % of get, 5 % of create',
  mix30: '40 % of list, 30 % of get, 30 % of create',
  create: 'creations, each acknowledged once it is durable',
  'cached-list': '20 pets of a status, by three URLs that are asked for again and again',
  'cached-get': `single pets, ${POPULAR_PETS} of them again and again`,
};

/** Which share of a workload are creations. */
export const CREATIONS: Record<WorkloadName, number> = {
  list: 0,
  get: 0,
  mix5: 0.05,
  mix30: 0.3,
  create: 1,
  'cached-list': 0,
  'cached-get': 0,
};

const authorization = (apiKey: string) => ({ Authorization: `Bearer ${apiKey}` });

/** A GET of a path under /v1. */
export const get = (path: string, apiKey: string): Request => ({
  method: 'GET',
  path: `/v1${path}`,
  headers: authorization(apiKey),
});

/**
 * The workloads, the same for every server.
 *
 * @param count pets that the database holds at the start
 */
export function createWorkloads(apiKey: string, count: number): Record<WorkloadName, Workload> {
  const lists = (weight: number, rest = ''): RequestTemplate[] =>
    STATUSES.map((status) => ({ weight, ...get(`/pets?status=${status}&limit=20${rest}`, apiKey) }));
  // A parameter that no server knows makes the URL a new one for every cache, and changes nothing else.
  const newLists = (weight: number) => lists(weight, '&n={serial}');
  const single = (weight: number): RequestTemplate => ({ weight, ...get('/pets/{id}', apiKey) });
  const creation = (weight: number): RequestTemplate => ({
    weight,
    method: 'POST',
    path: '/v1/pets',
    headers: { ...authorization(apiKey), 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Ñandú {serial}', categoryId: 7, status: 'available' }),
  });
  const of = (templates: RequestTemplate[], ids = count): Workload => ({ templates, ids });
  return {
    list: of(newLists(1)),
    get: of([single(1)]),
    mix5: of([...newLists(11), single(24), creation(3)]),
    mix30: of([...newLists(4), single(9), creation(9)]),
    create: of([creation(1)]),
    'cached-list': of(lists(1)),
    'cached-get': of([single(1)], POPULAR_PETS),
  };
}
