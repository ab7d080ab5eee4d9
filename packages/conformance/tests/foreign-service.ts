import { PetStatus, parseJson, stringifyJson } from '@petstore/contract';
import type { Fetch } from '../src/http/target.ts';

export const API_KEY = 'foreign-key';

const respond = (status: number, body: unknown) =>
  new Response(stringifyJson(body), { status, headers: { 'content-type': 'application/json' } });

const refuse = (status: number, code: string, message: string) => respond(status, { code, message, status });

/** parseJson returns a bigint only for an integer beyond the safe ones. */
const isInt64 = (value: unknown) =>
  typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value);

/**
 * Creates a pet store written from the interface document alone: it has error codes of its own, no pagination, no
 * probes and no /openapi.json, refuses an id or a long name and trims other names. It uses only the statuses and
 * JSON functions of this repository.
 */
export function createForeignService(fault: string): Fetch {
  const pets: { id: number; status?: unknown; categoryId: unknown }[] = [];

  function listPets(query: URLSearchParams): Response {
    const limit = query.get('limit') ?? '20';
    const isValid = /^\d+$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 100;
    if (!isValid) return refuse(400, 'E_LIMIT', 'limit is 1 to 100');
    const status = query.get('status');
    const found = status === null ? pets : pets.filter((pet) => pet.status === status);
    const withoutId = found.map((pet) => ({ ...pet, id: undefined }));
    if (fault === 'no ids in lists') return respond(200, withoutId);
    const withoutZero = found.map((pet) => ({ ...pet, categoryId: pet.categoryId || 1 }));
    return respond(200, (fault === 'no 0 in lists' ? withoutZero : found).slice(0, Number(limit)));
  }

  function createPet(body: unknown): Response {
    const { id, name, categoryId, status, ...others } = Object(body);
    if (id !== undefined) return refuse(400, 'E_ID', 'The service assigns the id');
    if (typeof name !== 'string' || name.length > 255) return refuse(400, 'E_NAME', 'name is a short string');
    if (!isInt64(categoryId)) return refuse(400, 'E_CATEGORY', 'categoryId is a required int64');
    const isKnown = status === undefined || PetStatus.safeParse(status).success;
    if (!isKnown) return refuse(400, 'E_STATUS', `status is one of ${PetStatus.options}`);
    const pet = { id: pets.length + 1, name: name.trim(), categoryId, ...others, status };
    pets.push(pet);
    if (fault === 'each pet twice') pets.push({ ...pet, id: pets.length + 1 });
    return respond(201, pet);
  }

  function getPet(id: string): Response {
    if (fault === 'no response to getPet') throw new Error('closed');
    const pet = pets.find((pet) => `${pet.id}` === id);
    return pet === undefined ? refuse(404, 'E_NOT_FOUND', 'There is no such pet') : respond(200, pet);
  }

  return async (url, { method, headers, body }) => {
    const { pathname, searchParams } = new URL(url);
    const route = `${method} ${pathname}`;
    const text = new Response(body).text();
    const sent = await text.then(parseJson).catch(() => undefined);
    const hasKey = new Headers(headers).get('authorization') === `Bearer ${API_KEY}`;
    const unauthorized = refuse(401, 'E_KEY', 'The key is missing or invalid');
    if (!hasKey && fault === 'stored without a key' && route === 'POST /v1/pets') createPet(sent);
    if (!hasKey && fault !== 'no authentication') return unauthorized;
    const [, id] = /^GET \/v1\/pets\/([^/]+)$/.exec(route) ?? [];
    if (id !== undefined) return getPet(id);
    if (route === 'GET /v1/pets') return listPets(searchParams);
    if (route === 'POST /v1/pets') return createPet(sent);
    // Without a key even 'no authentication' gives 401 here, so that later operations of the contract add no findings.
    return hasKey ? refuse(404, 'E_PATH', 'There is nothing here') : unauthorized;
  };
}
