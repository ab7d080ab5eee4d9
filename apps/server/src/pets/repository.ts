import { type Int64, NewPet, normalizeInteger, type Pet, type PetStatus } from '@petstore/contract';
import { type Selectable, sql } from 'kysely';
import * as z from 'zod/mini';
import type { Database, Transaction, Versioned } from '../database/database.ts';
import { Query } from '../database/query.ts';
import type { Tables } from '../database/schema.ts';
import { statusRange } from '../database/status-range.ts';

type PetsTable = Selectable<Tables['pets']>;

/**
 * The column of each property of a pet, and its type. A property that the contract adds does not compile until it
 * stands here; what is read, inserted and replayed follows from it.
 */
const columns = {
  id: { name: 'id', type: 'int64' },
  name: { name: 'name', type: 'text' },
  categoryId: { name: 'category_id', type: 'int64' },
  status: { name: 'status', type: 'text' },
} as const satisfies Record<keyof Pet, { name: keyof PetsTable; type: 'int64' | 'text' }>;

/** A pet as it is read: with null for a property that it does not have. */
type PetRow = { [Property in keyof typeof columns]: PetsTable[(typeof columns)[Property]['name']] };

/** What to select of the table of pets for a `PetRow`. */
const petColumns = Object.entries(columns).map(([property, { name }]) =>
  sql.ref(`pets.${name}`).as(property),
);

/** The one mapper from a row to a Pet. */
const toPet = (row: PetRow): Pet => ({ ...row, status: row.status ?? undefined });

interface Page {
  limit: number;
  /** The id after which the page begins. @default the beginning */
  after?: Int64 | undefined;
  /** @default any status */
  status?: PetStatus | undefined;
}

/** Before the first id. */
const BEGINNING = -(2n ** 63n);

// Every page is a range of an index, in its order, so that a deep one costs what the first one does.
const pageOfAnyStatus = new Query({ after: 'int64', limit: 'int64' }, (db, $) =>
  db
    .selectFrom('pets')
    .select(petColumns)
    .where('pets.id', '>', $('after'))
    .orderBy('pets.id')
    .limit($('limit'))
    .$castTo<PetRow>(),
);

const pageOfStatus = new Query({ status: 'text', after: 'int64', limit: 'int64' }, (db, $) =>
  db
    .selectFrom('pets')
    .select(petColumns)
    .where(statusRange(db, $('status'), $('after')))
    .orderBy('pets.status')
    .orderBy('pets.id')
    .limit($('limit'))
    .$castTo<PetRow>(),
);

/** A page of the listing: up to `limit` pets, ascending by id. */
export async function listPets(
  database: Database,
  { limit, after = BEGINNING, status }: Page,
): Promise<Versioned<Pet[]>> {
  const { value: rows, version } =
    status === undefined
      ? await database.read(pageOfAnyStatus, { after, limit })
      : await database.read(pageOfStatus, { status, after, limit });
  return { value: rows.map(toPet), version };
}

const selectById = new Query({ id: 'int64' }, (db, $) =>
  db.selectFrom('pets').select(petColumns).where('pets.id', '=', $('id')).$castTo<PetRow>(),
);

/** The pet with this id, or `undefined`. */
export async function findPet(database: Database, id: Int64): Promise<Versioned<Pet | undefined>> {
  const {
    value: [row],
    version,
  } = await database.read(selectById, { id });
  return { value: row && toPet(row), version };
}

/** The pets with these ids, by id. */
export async function findPets(transaction: Transaction, ids: readonly Int64[]): Promise<Map<Int64, Pet>> {
  const rows = await transaction.queryEach(
    selectById,
    ids.map((id) => ({ id })),
  );
  return new Map(rows.map((row) => [row.id, toPet(row)]));
}

const { id: _assigned, ...given } = columns;

const insert = new Query(
  Object.fromEntries(Object.entries(given).map(([property, { type }]) => [property, type])),
  (db, _$, rows) =>
    db
      .insertInto('pets')
      .columns(Object.values(given).map(({ name }) => name))
      .expression(rows)
      .returning(petColumns)
      .$castTo<PetRow>(),
);

/** Adds pets, and returns them in the order in which they were given. */
export async function insertPets(transaction: Transaction, pets: readonly NewPet[]): Promise<Pet[]> {
  const inserted = (await transaction.queryEach(insert, pets)).map(toPet);
  // SQL leaves the order of RETURNING open: better no pet than one under another's id.
  if (!pets.every((pet, index) => isSame(pet, inserted[index]))) {
    throw new Error('The database returned the new rows in another order');
  }
  return inserted;
}

const givenProperties = z.keyof(NewPet).options;

const isSame = (pet: NewPet, inserted: Pet | undefined) =>
  inserted !== undefined &&
  givenProperties.every((property) => inOneForm(pet[property]) === inserted[property]);

const inOneForm = (value: unknown) => (typeof value === 'bigint' ? normalizeInteger(value) : value);
