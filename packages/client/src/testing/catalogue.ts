import {
  deprecationHeaders,
  encodeCursor,
  formatLinks,
  getPetDeprecation,
  ListPetsQuery,
  type NewPet,
  type Pet,
  parseIdempotencyKey,
  parseInt64,
  stringifyJson,
  v1,
} from '@petstore/contract';
import { readNewPet } from './body.ts';
import { Refusal } from './refusal.ts';
import { cacheable, json } from './response.ts';

/** What was created under an Idempotency-Key: the NewPet that asked for it, as JSON, and the animal. */
interface Creation {
  asked: string;
  pet: Pet;
}

/** The animals in memory, and the three operations over them. */
export class Catalogue {
  readonly pets: Pet[] = [];
  readonly #creations = new Map<string, Creation>();

  add(newPet: NewPet): Pet {
    const pet = { id: this.pets.length + 1, ...newPet };
    this.pets.push(pet);
    return pet;
  }

  listPets(request: Request): Promise<Response> {
    const { data: query } = ListPetsQuery.safeParse(parametersOf(request));
    if (query === undefined) throw new Refusal('invalid_parameter');
    const { limit, cursor, status = cursor?.status } = query;
    const found = this.pets
      .filter((pet) => (cursor === undefined || pet.id > cursor.after) && (!status || pet.status === status))
      .slice(0, limit + 1);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    if (last === undefined || found.length <= limit) return cacheable(request, stringifyJson(page));
    const target = `${v1.prefix}/pets?limit=${limit}&cursor=${encodeCursor({ after: last.id, status })}`;
    return cacheable(request, stringifyJson(page), { link: formatLinks([{ target, rel: 'next' }]) });
  }

  async createPet(request: Request): Promise<Response> {
    const field = request.headers.get('idempotency-key');
    const key = field === null ? undefined : parseIdempotencyKey(field);
    if (field !== null && key === undefined) throw new Refusal('invalid_idempotency_key');
    const newPet = await readNewPet(request);
    const asked = stringifyJson(newPet);
    const first = key === undefined ? undefined : this.#creations.get(key);
    if (first && first.asked !== asked) throw new Refusal('idempotency_key_reused');
    const pet = first?.pet ?? this.add(newPet);
    if (key !== undefined) this.#creations.set(key, { asked, pet });
    return json(201, stringifyJson(pet), {
      location: `${v1.prefix}/pets/${pet.id}`,
      ...(first && { 'idempotency-replayed': 'true' }),
    });
  }

  getPet(request: Request, petId: string): Promise<Response> {
    const { Deprecation, Sunset, Link } = deprecationHeaders(getPetDeprecation, {
      documentation: '/docs',
      baseUrl: v1.prefix,
    });
    const headers = { deprecation: Deprecation, sunset: Sunset, link: Link };
    const id = parseInt64(petId);
    const pet = this.pets.find((candidate) => candidate.id === id);
    if (pet === undefined) throw new Refusal('pet_not_found', headers);
    return cacheable(request, stringifyJson(pet), headers);
  }
}

/** The query, in which a parameter that is sent twice is an array, which no schema takes. */
function parametersOf({ url }: Request): Record<string, string | string[]> {
  const { searchParams } = new URL(url);
  const parameters: Record<string, string | string[]> = {};
  for (const name of searchParams.keys()) {
    const [first = '', ...others] = searchParams.getAll(name);
    parameters[name] = others.length === 0 ? first : [first, ...others];
  }
  return parameters;
}
