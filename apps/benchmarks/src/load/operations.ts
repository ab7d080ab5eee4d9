import { animal, STATUSES } from '../data/animals.ts';
import type { Request } from './request.ts';

/** Different requests of an operation: enough that no animal is asked for, or added, over and over. */
const DIFFERENT = 10_000;

export const OPERATIONS = ['list', 'get', 'create'] as const;
export type Operation = (typeof OPERATIONS)[number];

export const TITLES: Record<Operation, string> = {
  list: 'list 20 by status',
  get: 'get one',
  create: 'create, durable',
};

const authorization = (apiKey: string) => ({ Authorization: `Bearer ${apiKey}` });

/** A GET of a path under /v1. */
export const get = (path: string, apiKey: string): Request => ({
  method: 'GET',
  path: `/v1${path}`,
  headers: authorization(apiKey),
});

/**
 * The requests of each operation, the same for every server.
 *
 * @param count animals that the database holds; those that are fetched are spread over all of them
 */
export function requestsOf(apiKey: string, count: number): Record<Operation, Request[]> {
  const numbers = Array.from({ length: DIFFERENT }, (_, index) => index);
  return {
    list: STATUSES.map((status) => get(`/pets?status=${status}&limit=20`, apiKey)),
    get: numbers.map((index) => get(`/pets/${1 + ((index * 7919) % count)}`, apiKey)),
    create: numbers.map((index) => {
      const { id: _id, ...body } = animal(index);
      return {
        method: 'POST',
        path: '/v1/pets',
        headers: { ...authorization(apiKey), 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      };
    }),
  };
}
