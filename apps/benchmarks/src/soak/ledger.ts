import { isDeepStrictEqual } from 'node:util';
import { NewPet, Pet } from '@petstore/contract';
import { NAMES, petWithId, STATUSES } from '../data/pets.ts';

/** What must not happen to a pet. */
export type Problem = 'lost' | 'doubled' | 'changed' | 'misplaced';

/** More would say nothing new, and a run of many hours must not fill the memory with them. */
const MAX_EXAMPLES = 20;

/**
 * What the callers of a soak know: which creation was acknowledged under which id. The pet of a creation follows from
 * its serial number, so that a creation takes four bytes.
 */
export class Ledger {
  readonly seeded: number;
  readonly problems: Record<Problem, number> = { lost: 0, doubled: 0, changed: 0, misplaced: 0 };
  readonly examples: string[] = [];
  /** The id of each serial number; 0 for a creation that is not acknowledged. */
  #ids = new Uint32Array(1_024);
  #begun = 0;
  #acknowledged = 0;
  #newestId: number;
  #takenBack = 0;
  #restores = 0;
  /** Creations whose call has failed: their pets may be there or not. */
  readonly #inDoubt = new Set<number>();

  /** @param seeded pets that the database had before: those of `seededPet` with the ids from 1 on */
  constructor(seeded: number) {
    this.seeded = seeded;
    this.#newestId = seeded;
  }

  /** Creations that were acknowledged and that no restore has taken back. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** The highest id that was acknowledged since the last restore. */
  get newestId(): number {
    return this.#newestId;
  }

  /** Creations that a restore has taken back. */
  get takenBack(): number {
    return this.#takenBack;
  }

  /** How often a backup was restored: a request from before whose response came after proves nothing. */
  get restores(): number {
    return this.#restores;
  }

  /** @returns the serial number of a new creation */
  begin(): number {
    this.#begun += 1;
    if (this.#begun >= this.#ids.length) {
      const ids = new Uint32Array(2 * this.#ids.length);
      ids.set(this.#ids);
      this.#ids = ids;
    }
    return this.#begun;
  }

  /** Notes the 201 to a creation, or to its repetition. */
  acknowledge(serial: number, pet: Pet): void {
    const before = this.#idOf(serial);
    const id = Number(pet.id);
    if (before !== 0 && before !== id) this.add('doubled', `${describe(pet)}, before with id ${before}`);
    this.#compare(newPet(serial), pet);
    if (before === 0) this.#acknowledged += 1;
    this.#ids[serial] = id;
    this.#newestId = Math.max(this.#newestId, id);
  }

  /** Notes that the call of a creation has failed for good. */
  abandon(serial: number): void {
    this.#inDoubt.add(serial);
  }

  /** @returns the serial number of a random creation that was acknowledged, if there is one */
  pick(): number | undefined {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const serial = 1 + Math.floor(Math.random() * this.#begun);
      if (this.#idOf(serial) !== 0) return serial;
    }
    return undefined;
  }

  /** @returns the pet that must be there: a random one of those that were acknowledged, or that were there before */
  pickPet(): Pet {
    const serial = Math.random() < 0.5 ? this.pick() : undefined;
    if (serial !== undefined) return { id: this.#idOf(serial), ...newPet(serial) };
    return seededPet(1 + Math.floor(Math.random() * this.seeded));
  }

  /** Compares a pet that was read by its id. */
  check(expected: Pet, pet: Pet | undefined): void {
    if (pet === undefined) this.add('lost', `${describe(expected)}, read by its id`);
    else this.#compare(expected, pet);
  }

  /**
   * Notes that a backup was restored.
   *
   * @param newestId the highest id in the backup: ids ascend in the order of the commits, so it has all pets up to it
   */
  takeBack(newestId: number): void {
    this.#restores += 1;
    for (let serial = 1; serial <= this.#begun; serial += 1) {
      if (this.#idOf(serial) <= newestId) continue;
      this.#ids[serial] = 0;
      this.#takenBack += 1;
      this.#acknowledged -= 1;
    }
    this.#newestId = newestId;
  }

  /**
   * Compares all pets that there are with all that were acknowledged.
   *
   * @param pets those of all pages in turn
   * @returns how many there are
   */
  async audit(pets: AsyncIterable<Pet>): Promise<number> {
    const isSeen = new Uint8Array(this.#begun + 1);
    let count = 0;
    let seeded = 0;
    let last = 0;
    for await (const pet of pets) {
      count += 1;
      const id = Number(pet.id);
      if (id <= last) this.add('misplaced', `${describe(pet)}, after id ${last}`);
      last = id;
      if (id <= this.seeded) {
        seeded += 1;
        this.#compare(seededPet(id), pet);
      } else {
        const serial = serialOf(pet);
        if (this.#inDoubt.delete(serial)) this.acknowledge(serial, pet);
        if (this.#idOf(serial) !== id) this.add('doubled', `${describe(pet)}, which was not acknowledged`);
        else isSeen[serial] = 1;
        this.#compare(newPet(serial), pet);
      }
    }
    for (let missing = seeded; missing < this.seeded; missing += 1) this.add('lost', 'a pet from the start');
    for (let serial = 1; serial <= this.#begun; serial += 1) {
      if (this.#idOf(serial) === 0 || isSeen[serial] === 1) continue;
      this.add('lost', describe({ id: this.#idOf(serial), ...newPet(serial) }));
    }
    return count;
  }

  add(problem: Problem, example: string): void {
    this.problems[problem] += 1;
    if (this.examples.length < MAX_EXAMPLES) this.examples.push(`${problem}: ${example}`);
  }

  #compare(expected: NewPet, pet: Pet): void {
    if (!isDeepStrictEqual({ id: pet.id, ...expected }, pet)) {
      this.add('changed', `${describe(pet)}, which was ${JSON.stringify(expected)}`);
    }
  }

  #idOf(serial: number): number {
    return this.#ids[serial] ?? 0;
  }
}

const describe = (pet: Pet) => JSON.stringify({ ...pet, id: Number(pet.id) });

/** The pet that a database had before. The schema adds the defaults of properties that a release has added. */
export const seededPet = (id: number): Pet => Pet.parse(petWithId(id));

/** The pet of a creation. Every fourth has no status. */
export function newPet(serial: number): NewPet {
  const status = STATUSES[serial % 4];
  const name = `${NAMES[serial % NAMES.length]} no. ${serial}`;
  return NewPet.parse({ name, categoryId: (serial % 50) + 1, ...(status && { status }) });
}

/** @returns 0 for a pet that no creation of the run has */
function serialOf({ name }: Pet): number {
  const [, serial = 0] = / no\. (\d+)$/.exec(name) ?? [];
  return Number(serial);
}
