import { type Int64, type NewPet, normalizeInteger, type Pet, type PetStatus } from '@petstore/contract';
import type { Kysely, Selectable } from 'kysely';
import type { Database, Versioned } from '../database/database.ts';
import { prepare, prepareRows } from '../database/prepared.ts';
import type { Tables } from '../database/schema.ts';
import { statusRange } from '../database/status-range.ts';

export type PetRow = Selectable<Tables['pets']>;

/** The column that holds each property: a property that the contract adds does not compile until it has one. */
const columns = {
  id: 'id',
  name: 'name',
  categoryId: 'category_id',
  status: 'status',
} as const satisfies Record<keyof Pet, keyof PetRow>;

const selectPets = (db: Kysely<Tables>) => db.selectFrom('pets').select(Object.values(columns));

type Page = {
  limit: number;
  /** The id after which the page begins. @default the beginning */
  after?: Int64 | undefined;
  /** @default any status */
  status?: PetStatus | undefined;
};

// Every page is a range of an index, in its order, so that a deep one costs what the first one does.
const ofAnyStatus = (db: Kysely<Tables>) => selectPets(db).orderBy('id');
const ofOneStatus = (db: Kysely<Tables>) => selectPets(db).orderBy('status').orderBy('id');

const pages = {
  ofAnyStatus: {
    first: prepare<Page, PetRow>((db, $) => ofAnyStatus(db).limit($('limit'))),
    next: prepare<Page, PetRow>((db, $) => ofAnyStatus(db).where('id', '>', $('after')).limit($('limit'))),
  },
  ofOneStatus: {
    first: prepare<Page, PetRow>((db, $) =>
      ofOneStatus(db)
        .where(statusRange(db, $('status')))
        .limit($('limit')),
    ),
    next: prepare<Page, PetRow>((db, $) =>
      ofOneStatus(db)
        .where(statusRange(db, $('status'), $('after')))
        .limit($('limit')),
    ),
  },
};

/** A page of the listing: up to `limit` pets, ascending by id. */
export async function listPets(database: Database, page: Page): Promise<Versioned<Pet[]>> {
  const version = await database.version();
  const { first, next } = page.status === undefined ? pages.ofAnyStatus : pages.ofOneStatus;
  const rows = await database.read((db) => (page.after === undefined ? first : next)(db, page));
  return { value: rows.map(toPet), version };
}

const selectById = prepare<{ id: Int64 }, PetRow>((db, $) => selectPets(db).where('id', '=', $('id')));

/** The pet with this id, or `undefined`. Because a pet never changes, its version tells the epoch only. */
export async function findPet(database: Database, id: Int64): Promise<Versioned<Pet | undefined>> {
  const version = { epoch: database.epoch, content: undefined };
  const [row] = await database.read((db) => selectById(db, { id }));
  return { value: row && toPet(row), version };
}

const insertRows = prepareRows<NewPet, PetRow>((db, rows) =>
  db
    .insertInto('pets')
    .values(rows.map(($) => ({ name: $('name'), category_id: $('categoryId'), status: $('status') })))
    .returning(Object.values(columns)),
);

/** Adds pets in one statement, and returns them in the order in which they were given. */
export async function insertPets(db: Kysely<Tables>, pets: readonly NewPet[]): Promise<Pet[]> {
  const inserted = (await insertRows(db, pets)).map(toPet);
  // SQL leaves the order of RETURNING open: better no pet than one under another's id.
  if (!pets.every((pet, index) => isSame(pet, inserted[index]))) {
    throw new Error('The database gave the new rows back in another order');
  }
  return inserted;
}

/** The one mapper from a row to a Pet: integers in their one form, and no `status` property without a status. */
export function toPet({ id, name, category_id, status }: PetRow): Pet {
  const pet = { id: toInt64(id), name, categoryId: toInt64(category_id) };
  return status === null ? pet : { ...pet, status };
}

const toInt64 = (value: Int64) => (typeof value === 'bigint' ? normalizeInteger(value) : value);

const isSame = (pet: NewPet, inserted: Pet | undefined) =>
  inserted !== undefined &&
  pet.name === inserted.name &&
  BigInt(pet.categoryId) === BigInt(inserted.categoryId) &&
  pet.status === inserted.status;
