import { type Int64, int64Bounds, NewPet, type Pet, type PetStatus, pageSize } from '@petstore/contract';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Database } from '../database/database.ts';
import { indexRange } from '../database/index-range.ts';
import type { Values } from '../database/query.ts';
import { type PetRow, petColumns, query } from '../tables.ts';

/** What to select of the table of pets for a `PetRow`. */
const selection = Object.entries(petColumns).map(([property, { name }]) =>
  sql.ref(`pets.${name}`).as(property),
);

/** The one mapper from a row to a Pet. An optional property that is not mapped from null does not compile. */
const toPet = (row: PetRow): Pet => ({
  ...row,
  status: row.status ?? undefined,
});

interface Page {
  limit: number;
  /** The id after which the page begins. @default the beginning */
  after?: Int64 | undefined;
  /** @default any status */
  status?: PetStatus | undefined;
}

/** One more than a page has tells whether there is a next one. */
const PAGE_BOUNDS = { maxRows: pageSize.maximum + 1 };

// Every page is a range of an index, in its order, so that a deep one costs what the first one does.
const pageOfAnyStatus = query(
  { from: 'int64', limit: 'int64' },
  (db, $) =>
    db
      .selectFrom('pets')
      .select(selection)
      .where('pets.id', '>=', $('from'))
      .orderBy('pets.id')
      .limit($('limit'))
      .$castTo<PetRow>(),
  PAGE_BOUNDS,
);

const pageOfStatus = query(
  { status: 'text', from: 'int64', limit: 'int64' },
  (db, $) =>
    db
      .selectFrom('pets')
      .select(selection)
      .where(indexRange(db, ['pets.status', 'pets.id'], $('status'), $('from')))
      .orderBy('pets.status')
      .orderBy('pets.id')
      .limit($('limit'))
      .$castTo<PetRow>(),
  PAGE_BOUNDS,
);

/** A page of the listing: up to `limit` pets, ascending by id. */
export async function listPets(
  database: Pick<Database, 'query'>,
  { limit, after, status }: Page,
): Promise<Pet[]> {
  if (after === int64Bounds.maximum) return [];
  // The lowest id has none before it.
  const from = after === undefined ? int64Bounds.minimum : BigInt(after) + 1n;
  const rows =
    status === undefined
      ? await database.query(pageOfAnyStatus({ from, limit }))
      : await database.query(pageOfStatus({ status, from, limit }));
  return rows.map(toPet);
}

const selectById = query(
  { id: 'int64' },
  (db, $) => db.selectFrom('pets').select(selection).where('pets.id', '=', $('id')).$castTo<PetRow>(),
  { maxRows: 1 },
);

/** The pet with this id, or `undefined`. */
export async function findPet(database: Pick<Database, 'query'>, id: Int64): Promise<Pet | undefined> {
  const [row] = await database.query(selectById({ id }));
  return row && toPet(row);
}

/** Who has added a pet, and when. */
export interface Origin {
  /** Milliseconds since 1970. */
  createdAt: number;
  /** Name of the API key. */
  createdBy: string | undefined;
}

/** The property and the column of each value that a caller gives. */
const given = z.keyof(NewPet).options.map((property) => [property, petColumns[property].name] as const);

/** The values of the columns of a new pet. */
export function rowOf(pet: NewPet, { createdAt, createdBy }: Origin): Values {
  const row: Record<string, Values[string]> = { created_at: createdAt, created_by: createdBy };
  for (const [property, column] of given) row[column] = pet[property];
  return row;
}
