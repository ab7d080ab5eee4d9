import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { findLink, NewPet, Pet, PetStatus, Pets, parseJson, stringifyJson } from '@petstore/contract';
import type { Options } from './callers.ts';
import type { Body, Model } from './model.ts';
import type { PetStore } from './pet-store.ts';

interface Command {
  /** How often histories have the command, compared with other commands. */
  weight: number;
  /** The highest number of each option, which `Options` explains. */
  options: Options;
  run(model: Model, store: PetStore, options: Options): Promise<void>;
  /** How many times in a row a caller runs the command beside other callers. @default 0: the command only runs alone */
  runsBesideOthers?: number;
}

const STATUSES = ['', ...PetStatus.options] as const;
const LIMITS = ['', '1', '100'] as const;
const IDEMPOTENCY_KEYS = ['', 'a', 'b'] as const;
const NAMES = ['shop', 'kiosk'] as const;
const SCOPES = ['write', 'read'] as const;
const SIGNALS = ['SIGKILL', 'SIGTERM'] as const;

/** A request goes to one of the servers, with the API key of the configuration (0) or an issued key (1 is the newest). */
const request = { server: 2, caller: 2 };

const choose = <Value>(values: readonly [Value, ...Value[]], number = 0): Value =>
  values[number % values.length] ?? values[0];

/** Chooses an id: 0 is the newest pet. Without a pet, the id is 1. */
const chooseId = (ids: readonly number[], number = 0): number =>
  ids.toSorted((one, other) => other - one).at(number % ids.length) ?? 1;

const bodyOf = ({ name, categoryId, status }: NewPet): Body => stringifyJson({ name, categoryId, status });
const newPetOf = (body: Body): NewPet => NewPet.parse(parseJson(body));

async function add(model: Model, store: PetStore, options: Options, init: RequestInit = {}): Promise<void> {
  const key = choose(IDEMPOTENCY_KEYS, options.key);
  const record = key && `${key} of ${model.apiKeys.get(store.callers.apiKey(options.caller))?.name}`;
  const body = chooseBody(store.callers.newPet(), model.lastBodyOf(record), options.body);
  const sent = model.add(body, record);
  const headers = { 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) };
  const creation = { ...init, method: 'POST', headers, body };
  const response = await store.callers.send(model, options, '/v1/pets', creation);
  if (response === undefined) return;
  if (response.status === 201) {
    const { id, ...pet } = Pet.parse(parseJson(response.text));
    assert.equal(bodyOf(pet), body);
    model.expectCreated(sent, Number(id), response.isReplayed);
  } else if (response.status === 409) model.expectInProgress(sent);
  else if (response.status === 422) model.expectReused(sent);
  else assert([401, 403].includes(response.status), response.text);
  model.end(sent);
}

/** The body that was used with the key, or a new one. @param number changes its name (1), category (2) or status (3) */
function chooseBody(fresh: NewPet, used: Body | undefined, number?: number): Body {
  const pet = used === undefined ? fresh : newPetOf(used);
  const categoryId = pet.categoryId === 1 ? 2n ** 63n - 1n : 1;
  const status = PetStatus.options.find((other) => other !== pet.status);
  const choices = [pet, { ...pet, name: fresh.name }, { ...pet, categoryId }, { ...pet, status }] as const;
  return bodyOf(choose(choices, number));
}

export async function list(model: Model, store: PetStore, options: Options): Promise<void> {
  const status = choose(STATUSES, options.status);
  // Many short pages would take most of the time.
  const limit = model.pets.size > 6 ? '100' : choose(LIMITS, options.limit);
  const query = new URLSearchParams({ ...(limit && { limit }), ...(status && { status }) });
  const seen = new Map<number, Body>();
  const first = ++model.clock;
  let last = first;
  for (let next: string | undefined = `/v1/pets?${query}`; next !== undefined; ) {
    last = ++model.clock;
    const page = await store.callers.read(model, options, next);
    if (page === undefined) return;
    const pets = Pets.parse(parseJson(page.text));
    assert(pets.length <= Number(limit || 20), `${pets.length} pets on ${next}`);
    for (const { id, ...pet } of pets) {
      assert(id > Math.max(0, ...seen.keys()), `${id} comes after ${[...seen.keys()]} on ${next}`);
      seen.set(Number(id), bodyOf(pet));
    }
    next = findLink(page.link, 'next');
  }
  model.list(seen, status, first, last);
}

async function get(model: Model, store: PetStore, options: Options): Promise<void> {
  const petId = chooseId([...model.pets.keys()], options.which);
  const since = ++model.clock;
  const found = await store.callers.read(model, options, `/v1/pets/${petId}`);
  if (found?.status === 404) model.expectMissing(petId, since);
  if (found?.status !== 200) return;
  const { id, ...pet } = Pet.parse(parseJson(found.text));
  assert.equal(Number(id), petId);
  model.expectPet(petId, bodyOf(pet), since);
}

/**
 * An operator removes any pet, or with `keyed` one that has an Idempotency-Key. With `orphan` the idempotency record
 * stays, because the operator's tool does not enforce foreign keys.
 */
async function remove(model: Model, store: PetStore, { which, keyed, orphan }: Options): Promise<void> {
  const ids = model.presentIds.filter((id) => !keyed || model.pets.get(id)?.record);
  const pet = model.pets.get(chooseId(ids, which));
  if (pet === undefined || pet.removalStart < Infinity) return;
  pet.removalStart = ++model.clock;
  await store.sql(`delete from pets where id = ${pet.id}`, { enforcesForeignKeys: !orphan });
  pet.removalEnd = ++model.clock;
}

async function change(model: Model, store: PetStore, options: Options): Promise<void> {
  const pet = model.pets.get(chooseId(model.presentIds, options.which));
  if (pet === undefined) return;
  const { name } = store.callers.newPet();
  const status = choose(STATUSES, options.status) || undefined;
  const value = status ? `'${status}'` : 'null';
  await store.sql(`update pets set name = '${name}', status = ${value} where id = ${pet.id}`);
  pet.body = bodyOf({ ...newPetOf(pet.body), name, status });
}

/** An operator issues, rotates or revokes the API key of a name. `short` is an expiry or a grace period of 2 s. */
const keys =
  (action: 'create' | 'rotate' | 'revoke') => async (model: Model, store: PetStore, options: Options) => {
    const [name, scope] = [choose(NAMES, options.name), choose(SCOPES, options.scope)];
    const args = action === 'create' ? ['--name', name, '--scope', scope] : [name];
    const short = options.short ? [action === 'create' ? '--expires' : '--grace', '2s'] : [];
    const from = performance.now();
    const { code, stdout, stderr } = await store.run('keys', action, ...args, ...short);
    const time = { from, to: performance.now() };
    assert(code === 0 || code === 1, stderr);
    // `create` fails if the name has a valid key. The other actions fail if it has none.
    const hadKey = action === 'create' ? code === 1 : code === 0;
    model.checkKeysOf(name, hadKey, time);
    if (code === 1) return;
    const [lifeMs, graceMs] = options.short ? [2_000, 2_000] : [Infinity, 0];
    const key = action === 'create' ? { name, scope, lifeMs } : model.endKeysOf(name, time, graceMs);
    if (action !== 'revoke') model.addKey(store.callers.keep(stdout.trim()), key, time);
  };

export const commands: Readonly<Record<string, Command>> = {
  add: { weight: 40, options: { ...request, key: 2, body: 3 }, run: add, runsBesideOthers: 5 },
  /** The caller gives up soon: the pet may be there at once, later or never. */
  lose: {
    weight: 6,
    options: { ...request, key: 2, body: 3, after: 5 },
    run: (model, store, options) =>
      add(model, store, options, { signal: AbortSignal.timeout(options.after ?? 0) }),
    runsBesideOthers: 2,
  },
  list: { weight: 30, options: { ...request, status: 3, limit: 2, how: 3 }, run: list, runsBesideOthers: 8 },
  get: { weight: 15, options: { ...request, which: 9, how: 3 }, run: get, runsBesideOthers: 5 },
  remove: { weight: 12, options: { which: 5, keyed: 1, orphan: 1 }, run: remove, runsBesideOthers: 2 },
  change: { weight: 6, options: { which: 5, status: 3 }, run: change },
  restart: {
    weight: 2,
    options: { server: 2, signal: 1, after: 30 },
    async run(_model, store, { server, signal, after }) {
      await sleep(after);
      await store.restart(server, choose(SIGNALS, signal));
    },
    runsBesideOthers: 1,
  },
  /** A server does not run for some milliseconds. */
  stall: {
    weight: 2,
    options: { server: 2, for: 300 },
    run: (_model, store, options) => store.stall(options),
    runsBesideOthers: 1,
  },
  /** Starts another server on the same database. */
  start: { weight: 6, options: {}, run: (_model, store) => store.addServer() },
  /** Each commit takes some more milliseconds, as if the disk were slow. */
  delay: { weight: 3, options: {}, run: (_model, store) => store.delayCommits() },
  issue: { weight: 6, options: { name: 1, scope: 1, short: 1 }, run: keys('create') },
  rotate: { weight: 6, options: { name: 1, short: 1 }, run: keys('rotate') },
  revoke: { weight: 3, options: { name: 1 }, run: keys('revoke') },
  /** Waits until running servers have noticed the end of all API keys. */
  wait: { weight: 3, options: {}, run: (model) => sleep(model.noticeMs) },
  backup: { weight: 2, options: {}, run: (model, store) => store.backUp(model), runsBesideOthers: 1 },
  restore: {
    weight: 2,
    options: { signal: 1 },
    run: (model, store, { signal }) => store.restore(model, choose(SIGNALS, signal)),
  },
  /** Goes on with a copy of the database, on the other engine. */
  copy: {
    weight: 3,
    options: { signal: 1 },
    run: (_model, store, { signal }) => store.copy(choose(SIGNALS, signal)),
  },
};
