import {
  encodeCursor,
  formatLinks,
  type Int64,
  normalizeInteger,
  parseIdempotencyKey,
  parseInt64,
  stringifyJson,
} from '@petstore/contract';
import { type Operation, prefix } from '../contract.ts';
import { ListPetsQuery, NewPet, type Pet } from './interface.ts';
import { readBody } from './read-body.ts';
import { cacheable, HttpError, json } from './response.ts';

/** All operations of the contract: each takes a request and its path parameter, still percent-encoded. */
type Operations = Record<Operation, (request: Request, parameter: string) => Promise<Response>>;

export class PetRoutes implements Operations {
  readonly pets: Pet[] = [];
  #nextId: bigint;
  /** By Idempotency-Key: the NewPet of the first request as JSON, and the pet that was created. */
  readonly #idempotencyRecords = new Map<string, { newPet: string; pet: Pet }>();

  constructor(firstId: Pet['id']) {
    this.#nextId = BigInt(firstId);
  }

  add(newPet: NewPet): Pet {
    const pet = { id: normalizeInteger(this.#nextId), ...newPet };
    this.#nextId += 1n;
    this.pets.push(pet);
    return pet;
  }

  async listPets(request: Request): Promise<Response> {
    const { data: query } = ListPetsQuery.safeParse(parametersOf(request));
    if (query === undefined) throw new HttpError('invalid_parameter');
    const { limit, cursor, status = cursor?.status } = query;
    const found = this.pets
      .filter((pet) => (cursor === undefined || pet.id > cursor.after) && (!status || pet.status === status))
      .slice(0, limit + 1);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    if (last === undefined || found.length <= limit) return cacheable(request, stringifyJson(page));
    const target = `${prefix}/pets?limit=${limit}&cursor=${encodeCursor({ after: last.id, status })}`;
    return cacheable(request, stringifyJson(page), formatLinks([{ target, rel: 'next' }]));
  }

  async createPet(request: Request): Promise<Response> {
    const header = request.headers.get('idempotency-key');
    const key = header === null ? undefined : parseIdempotencyKey(header);
    if (header !== null && key === undefined) throw new HttpError('invalid_idempotency_key');
    const body = await readBody(request, NewPet);
    // The schema orders the members, so that equal pets have equal texts.
    const newPet = stringifyJson(body);
    const record = key === undefined ? undefined : this.#idempotencyRecords.get(key);
    if (record && record.newPet !== newPet) throw new HttpError('idempotency_key_reused');
    const pet = record?.pet ?? this.add(body);
    if (key !== undefined) this.#idempotencyRecords.set(key, { newPet, pet });
    return json(201, stringifyJson(pet), {
      location: `${prefix}/pets/${pet.id}`,
      ...(record && { 'idempotency-replayed': 'true' }),
    });
  }

  async getPet(request: Request, petId: string): Promise<Response> {
    return cacheable(request, stringifyJson(this.#find(petId)));
  }

  /** @throws HttpError when no pet has this id */
  #find(petId: string): Pet {
    const id = parseId(petId);
    const pet = this.pets.find((each) => each.id === id);
    if (pet === undefined) throw new HttpError('pet_not_found');
    return pet;
  }
}

/** @param segment of the path, still percent-encoded */
function parseId(segment: string): Int64 | undefined {
  try {
    return parseInt64(decodeURIComponent(segment));
  } catch {
    // A malformed escape is in no id.
    return undefined;
  }
}

/** The query. A repeated parameter is an array, which no schema accepts. */
function parametersOf({ url }: Request): Record<string, string | string[]> {
  const { searchParams } = new URL(url);
  const parameters: Record<string, string | string[]> = {};
  for (const name of searchParams.keys()) {
    const [first = '', ...others] = searchParams.getAll(name);
    parameters[name] = others.length === 0 ? first : [first, ...others];
  }
  return parameters;
}
