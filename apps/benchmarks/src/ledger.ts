import { isDeepStrictEqual } from 'node:util';
import type { Pet } from '@petstore/contract';
import { STATUSES } from './seed.ts';

/** The properties that a soak sets in its creations, and the id. Other properties of a pet are optional. */
export type LedgerPet = Pick<Pet, 'id' | 'name' | 'categoryId' | 'status'>;

/** The pet of a creation, by the creation's serial number. Every fourth has no status. */
export function newPet(serial: number): Omit<LedgerPet, 'id'> {
  const status = STATUSES[serial % (STATUSES.length + 1)];
  return { name: `no. ${serial}`, categoryId: (serial % 50) + 1, ...(status && { status }) };
}

/** The acknowledged creations of a soak, with their ids. */
export class Ledger {
  /** Pets that were lost, doubled or changed. */
  readonly problems: string[] = [];
  readonly #ids = new Map<number, number>();

  /** Acknowledged creations that no restore has taken back. */
  get acknowledged(): number {
    return this.#ids.size;
  }

  acknowledge(serial: number, pet: LedgerPet): void {
    const id = Number(pet.id);
    const before = this.#ids.get(serial) ?? id;
    if (before !== id) this.problems.push(`doubled: no. ${serial} has the ids ${before} and ${id}`);
    this.#compare(serial, pet);
    this.#ids.set(serial, id);
  }

  /**
   * Removes the creations that the restore of a backup undid. Ids ascend in the order of the commits, so the backup
   * has all pets up to its newest one.
   * @returns how many creations were removed
   */
  takeBack(newestId: number): number {
    const taken = [...this.#ids].filter(([, id]) => id > newestId);
    for (const [serial] of taken) this.#ids.delete(serial);
    return taken.length;
  }

  /** Compares the pets of all pages with the acknowledged ones, and ignores other pets. */
  async check(pets: AsyncIterable<LedgerPet>): Promise<void> {
    const missing = new Map(this.#ids);
    for await (const pet of pets) {
      const [, digits] = /^no\. (\d+)$/.exec(pet.name) ?? [];
      if (digits === undefined) continue;
      const serial = Number(digits);
      if (missing.get(serial) !== Number(pet.id)) {
        this.problems.push(`doubled: no. ${serial} is there with id ${pet.id}, which was not acknowledged`);
      }
      missing.delete(serial);
      this.#compare(serial, pet);
    }
    for (const [serial, id] of missing) this.problems.push(`lost: no. ${serial} with id ${id}`);
  }

  #compare(serial: number, pet: LedgerPet): void {
    const { name, categoryId, status } = pet;
    const isSame = isDeepStrictEqual({ name, categoryId, status }, { status: undefined, ...newPet(serial) });
    if (!isSame) this.problems.push(`changed: no. ${serial} is ${JSON.stringify(pet)}`);
  }
}
