import {
  deprecationHeaders,
  encodeCursor,
  formatLinks,
  getPetDeprecation,
  type Int64,
  ListPetsQuery,
  normalizeInteger,
  type Pet,
  parseIdempotencyKey,
  parseInt64,
  stringifyJson,
} from '@petstore/contract';
import { cacheable, json, Refusal } from './answers.ts';
import { readNewPet } from './body.ts';

interface Remembered {
  /** The NewPet that was sent, in one notation. */
  body: string;
  text: string;
  headers: Record<string, string>;
}

/** What the server knows. Ids begin just below 2^53, so that a suite that rounds one is found out. */
export interface Store {
  pets: Pet[];
  nextId: bigint;
  /** The first answer to each Idempotency-Key. */
  answers: Map<string, Remembered>;
}

export function createStore(): Store {
  return { pets: [], nextId: 2n ** 53n - 10n, answers: new Map() };
}

export function listPets(store: Store, request: Request): Response {
  const { searchParams } = new URL(request.url);
  const parameters = Object.fromEntries(
    [...searchParams.keys()].map((name) => {
      const [first, ...more] = searchParams.getAll(name);
      return [name, more.length > 0 ? [first, ...more] : first];
    }),
  );
  const { data: query } = ListPetsQuery.safeParse(parameters);
  if (query === undefined) throw new Refusal('invalid_parameter');
  const { limit, cursor, status = cursor?.status } = query;
  const matching = store.pets.filter(
    (pet) =>
      (status === undefined || pet.status === status) && (cursor === undefined || pet.id > cursor.after),
  );
  const page = matching.slice(0, limit);
  const last = page.at(-1);
  if (last === undefined || matching.length === page.length) return cacheable(request, page, {});
  const next = new URLSearchParams({ limit: `${limit}`, cursor: encodeCursor({ after: last.id, status }) });
  return cacheable(request, page, { Link: formatLinks([{ target: `/v1/pets?${next}`, rel: 'next' }]) });
}

export async function createPet(store: Store, request: Request): Promise<Response> {
  const field = request.headers.get('idempotency-key');
  const key = field === null ? undefined : parseIdempotencyKey(field);
  if (field !== null && key === undefined) throw new Refusal('invalid_idempotency_key');
  const newPet = await readNewPet(request);
  // The schema has put the members in its own order.
  const body = stringifyJson(newPet);
  const first = key === undefined ? undefined : store.answers.get(key);
  if (first !== undefined) {
    if (first.body !== body) throw new Refusal('idempotency_key_reused');
    return json(201, first.text, { ...first.headers, 'Idempotency-Replayed': 'true' });
  }
  const id: Int64 = normalizeInteger(store.nextId);
  store.nextId += 1n;
  const pet = { id, ...newPet };
  store.pets.push(pet);
  const answer = { text: stringifyJson(pet), headers: { Location: `/v1/pets/${id}` } };
  if (key !== undefined) store.answers.set(key, { body, ...answer });
  return json(201, answer.text, answer.headers);
}

export function getPet(store: Store, request: Request, petId: string): Response {
  const { origin } = new URL(request.url);
  const headers = deprecationHeaders(getPetDeprecation, {
    documentation: `${origin}/docs`,
    baseUrl: `${origin}/v1`,
  });
  const id = parseInt64(petId);
  const pet = store.pets.find((candidate) => candidate.id === id);
  if (pet === undefined) throw new Refusal('pet_not_found', headers);
  return cacheable(request, pet, headers);
}
