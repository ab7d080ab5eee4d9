import assert from 'node:assert/strict';

/** The JSON text of a NewPet. No two pets are equal, so it identifies a pet. */
export type Body = string;

/** A pet, and the times of the model's clock between which it is there. */
interface ModelPet {
  id: number;
  /** The pet as it is, and as it was added. */
  body: Body;
  addedBody: Body;
  /** The Idempotency-Key of the creation, and the name of its API key, as in `KEY of NAME`; empty without a key. */
  record: string;
  /** When a caller first knew of the pet, and when its removal began and ended. */
  knownSince: number;
  removalStart: number;
  removalEnd: number;
}

/** Requests without a response that add a pet. The pet may be there now, later or never. */
interface Addition {
  body: Body;
  record: string;
  /** The pet's id is above this one: the highest before the first request, or of a later list that lacks the pet. */
  above: number;
  /** Each response decrements this count, so a lost response leaves the addition open. */
  requests: number;
}

interface ApiKey {
  name: string;
  scope: 'read' | 'write';
  lifeMs: number;
  /** Between these two times, the key may be valid or not. */
  validUntil: number;
  endedBy: number;
}

/** When a command ran, in milliseconds of `performance.now`. */
interface Time {
  from: number;
  to: number;
}

/** Within this time running servers notice the end of an API key. */
const NOTICE_MS = 5_000;

/**
 * What callers and operator know of a pet store. Methods throw if a response contradicts it. Requests at the same time
 * may run in any order: a response must have what was there before its request, and may have what came since.
 */
export class Model {
  clock = 0;
  /** The highest id that was known before the last restore. */
  highestLostId = 0;
  /** All pets, also the removed ones. */
  pets = new Map<number, ModelPet>();
  additions = new Map<Body, Addition>();
  apiKeys = new Map<string, ApiKey>();

  get presentIds(): number[] {
    return [...this.pets.values()].flatMap(({ id, removalStart }) => (removalStart === Infinity ? id : []));
  }

  get highestId(): number {
    return Math.max(this.highestLostId, ...this.pets.keys());
  }

  /** The newest pet of an Idempotency-Key, or else the first of its open requests. */
  lastBodyOf(record: string): Body | undefined {
    return this.#holdersOf(record).at(-1)?.addedBody ?? this.#openOf(record).at(0);
  }

  /** Begins a request. @returns what it can expect: a new pet has an id above all ids, also of removed pets */
  add(body: Body, record: string) {
    const { highestId } = this;
    const { above, requests } = this.additions.get(body) ?? { above: highestId, requests: 0 };
    this.additions.set(body, { body, record, above, requests: requests + 1 });
    return { body, record, above: highestId, since: ++this.clock };
  }

  /** Ends an addition that has a response. */
  end({ body }: Sent): void {
    const addition = this.additions.get(body);
    if (addition && --addition.requests === 0) this.additions.delete(body);
  }

  /** Checks a response 201. */
  expectCreated({ body, record, above, since }: Sent, id: number, isReplayed: boolean): void {
    const holders = this.#holdersOf(record, since);
    const certain = findCertain(holders, since);
    if (certain) assert.deepEqual([id, body, isReplayed], [certain.id, certain.addedBody, true], record);
    const known = holders.find((pet) => pet.id === id);
    if (known) assert.equal(known.addedBody, body);
    else {
      // A replay may be the first response that arrives for a pet that an earlier request has added.
      assert(isReplayed || id > above, `${id} is not above ${above}`);
      this.expectPet(id, body, since);
    }
    const others = holders.filter((pet) => pet.id !== id && pet.removalStart === Infinity);
    assert.deepEqual(others, [], `${record} has another pet than ${id}`);
  }

  /** Checks a response 409: beside this request, another one with the Idempotency-Key is open. */
  expectInProgress({ record }: Sent): void {
    assert(this.#openOf(record).length > 1, `no other request with ${record} is in progress`);
  }

  /** Checks a response 422: the Idempotency-Key was used for another pet. */
  expectReused({ body, record, since }: Sent): void {
    const holders = this.#holdersOf(record, since);
    const certain = findCertain(holders, since);
    const possible = [...this.#openOf(record), ...holders.map(({ addedBody }) => addedBody)];
    const others = (certain ? [certain.addedBody] : possible).filter((used) => used !== body);
    assert(others.length > 0, `${record} was not used for another pet than ${body}`);
  }

  /** Checks a pet in the response to a request sent at `since`. */
  expectPet(id: number, body: Body, since: number): void {
    const known = this.pets.get(id);
    if (known) {
      assert(body === known.body && known.removalEnd > since, `${id} ${body} is ${known.body}, or removed`);
      return;
    }
    const addition = this.additions.get(body);
    assert(addition && id > addition.above, `${id} ${body} was not added, or not after ${addition?.above}`);
    const twin = this.presentIds.find((other) => this.pets.get(other)?.body === body);
    assert.equal(twin, undefined, `${body} was added twice`);
    const times = { knownSince: ++this.clock, removalStart: Infinity, removalEnd: Infinity };
    this.pets.set(id, { id, body, addedBody: body, record: addition.record, ...times });
  }

  /** Checks that the response to a request sent at `since` may lack a pet. */
  expectMissing(id: number, since: number): void {
    const pet = this.pets.get(id);
    assert(!pet || pet.removalStart < Infinity || pet.knownSince > since, `${id} ${pet?.body} is missing`);
  }

  /** Checks all pages of a list, by the times of its first and last request. An empty status means all pets. */
  list(seen: ReadonlyMap<number, Body>, status: string, first: number, last: number): void {
    const isListed = (body: Body) => status === '' || body.includes(`"status":"${status}"`);
    for (const [id, body] of seen) {
      assert(isListed(body), `${id} ${body} is not ${status}`);
      this.expectPet(id, body, first);
    }
    // Ids become visible in order, so a page has each pet that was known before the last request.
    for (const { id, body } of this.pets.values())
      if (isListed(body) && !seen.has(id)) this.expectMissing(id, last);
    // For the same reason, a pet that is not in a list of all pets yet gets an id above the ids in it.
    const highestId = status === '' ? Math.max(0, ...seen.keys()) : 0;
    for (const addition of this.additions.values()) addition.above = Math.max(addition.above, highestId);
  }

  addKey(apiKey: string, key: Pick<ApiKey, 'name' | 'scope' | 'lifeMs'>, { from, to }: Time): void {
    this.apiKeys.set(apiKey, { ...key, validUntil: from + key.lifeMs, endedBy: to + key.lifeMs });
  }

  /** Ends the API keys of a name. @returns the newest one */
  endKeysOf(name: string, { from, to }: Time, graceMs: number): ApiKey {
    for (const key of this.#keysOf(name)) {
      key.validUntil = Math.min(key.validUntil, from + graceMs);
      key.endedBy = Math.min(key.endedBy, to + graceMs);
    }
    const newest = this.#keysOf(name).at(-1);
    assert(newest);
    return newest;
  }

  /** Checks whether a command found a valid API key of a name. */
  checkKeysOf(name: string, isFound: boolean, { from, to }: Time): void {
    const isPossible = isFound
      ? this.#keysOf(name).some(({ endedBy }) => endedBy > from)
      : this.#keysOf(name).every(({ validUntil }) => validUntil < to);
    assert(isPossible, `${name} ${isFound ? 'has no' : 'has a'} valid API key`);
  }

  /** Checks whether a server accepts an API key. A server that starts later knows the key's end at once. */
  checkKey(apiKey: string, isAccepted: boolean, at: { startedAt: number; sentAt: number }): void {
    const { validUntil, endedBy } = this.apiKeys.get(apiKey) ?? { validUntil: 0, endedBy: 0 };
    const refusedFrom = at.startedAt > endedBy ? endedBy : endedBy + NOTICE_MS;
    if (isAccepted) assert(at.sentAt < refusedFrom, 'an API key is accepted after its end');
    else assert(performance.now() > validUntil, 'a valid API key is refused');
  }

  /** Milliseconds until running servers have noticed the end of all API keys that have one. */
  get noticeMs(): number {
    const ends = [...this.apiKeys.values()].map(({ endedBy }) => endedBy).filter(Number.isFinite);
    return Math.max(0, ...ends.map((end) => end + NOTICE_MS - performance.now()));
  }

  /** The model of a backup that was begun at `time` and has just ended. It may have each change since then, or lack it. */
  asOf(time: number): Model {
    const model = Object.assign(new Model(), structuredClone({ ...this }));
    for (const pet of model.pets.values()) {
      if (pet.removalStart < Infinity && pet.removalEnd > time) pet.removalEnd = Infinity;
      if (pet.knownSince < time) continue;
      model.pets.delete(pet.id);
      // The backup may have the pet, with its old id: every id is above 0.
      model.additions.set(pet.addedBody, { body: pet.addedBody, record: pet.record, above: 0, requests: 1 });
    }
    return model;
  }

  /** Goes back to a backup, except for the API keys and the highest id: a restore keeps both. */
  restore(backup: Model): void {
    const { apiKeys, highestId: highestLostId } = this;
    Object.assign(this, structuredClone(backup), { apiKeys, highestLostId });
  }

  #keysOf = (name: string) => [...this.apiKeys.values()].filter((key) => key.name === name);

  /** The pets that may have had an Idempotency-Key since a time. */
  #holdersOf = (record: string, since = 0) =>
    [...this.pets.values()].filter((pet) => record && pet.record === record && pet.removalEnd > since);

  /** The bodies that open requests send with an Idempotency-Key. */
  #openOf(record: string): Body[] {
    const open = [...this.additions.values()].filter((addition) => record && addition.record === record);
    return open.flatMap(({ body, requests }) => Array<Body>(requests).fill(body));
  }
}

/** Finds the pet that had an Idempotency-Key before a time and still has it, among the pets that may have it. */
const findCertain = (holders: readonly ModelPet[], since: number) =>
  holders.find((pet) => pet.knownSince < since && pet.removalStart === Infinity);

export type Sent = ReturnType<Model['add']>;
