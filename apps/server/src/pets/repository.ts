import {
  type Cursor,
  type Int64,
  int64Bounds,
  type NewPet,
  type Pet,
  type PetStatus,
} from '@petstore/contract';
import type { Kysely } from 'kysely';
import { engineOf } from '../database/engine-of.ts';
import { type Placeholders, prepared } from '../database/prepared.ts';
import type { NewPetRow, Tables } from '../database/tables.ts';

const selection = ['pets.id', 'pets.name', 'pets.category_id as categoryId', 'pets.status'] as const;

/** A pet with null for each optional property without a value. */
type PetRow = {
  [Property in keyof Pet]-?: undefined extends Pet[Property]
    ? NonNullable<Pet[Property]> | null
    : Pet[Property];
};

/** TypeScript reports an optional property that is not mapped from null, and a column that callers must not see. */
const toPet = <Row extends PetRow>(row: Row & Record<Exclude<keyof Row, keyof Pet>, never>): Pet => ({
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

// A page is a range of an index, so a deep page costs as much as the first one.
const pageOfAnyStatus = prepared((db, { from, limit }: Placeholders<{ from: Int64; limit: number }>) =>
  db.selectFrom('pets').select(selection).where('id', '>=', from).orderBy('id').limit(limit),
);

// SQLite's planner finds no range of the index in a comparison of rows. With an equality PostgreSQL's planner may use
// the primary key, and read the whole table to find pets with a rare status.
const pageOfStatus = prepared(
  (db, { status, from, limit }: Placeholders<{ status: PetStatus; from: Int64; limit: number }>) =>
    db
      .selectFrom('pets')
      .select(selection)
      .where(({ and, eb, refTuple, tuple }) =>
        engineOf(db) === 'postgres'
          ? and([eb(refTuple('status', 'id'), '>=', tuple(status, from)), eb('status', '<=', status)])
          : and([eb('status', '=', status), eb('id', '>=', from)]),
      )
      .orderBy('status')
      .orderBy('id')
      .limit(limit),
);

/** A page of the listing: up to `limit` pets, ascending by id. */
export async function listPets(db: Kysely<Tables>, { limit, after, status }: Page): Promise<Pet[]> {
  if (after === int64Bounds.maximum) return [];
  const from = after === undefined ? int64Bounds.minimum : BigInt(after) + 1n;
  const rows =
    status === undefined
      ? await pageOfAnyStatus(db, { from, limit })
      : await pageOfStatus(db, { status, from, limit });
  return rows.map(toPet);
}

/** A page of the listing, and the cursor of the next page, if there is one. A cursor keeps the status filter. */
export async function readPage(
  db: Kysely<Tables>,
  { limit, cursor, status = cursor?.status }: Omit<Page, 'after'> & { cursor?: Cursor | undefined },
): Promise<{ pets: Pet[]; next: (Cursor & { limit: number }) | undefined }> {
  const found = await listPets(db, { limit: limit + 1, after: cursor?.after, status });
  const pets = found.slice(0, limit);
  const last = found.length > limit ? pets.at(-1) : undefined;
  return { pets, next: last && { limit, after: last.id, status } };
}

const petById = prepared((db, { id }: Placeholders<{ id: Int64 }>) =>
  db.selectFrom('pets').select(selection).where('id', '=', id),
);

export async function findPet(db: Kysely<Tables>, id: Int64): Promise<Pet | undefined> {
  const [row] = await petById(db, { id });
  return row && toPet(row);
}

/** The values of the columns of a new pet. TypeScript reports a missing column. */
export const rowOf = (pet: NewPet, origin: Pick<NewPetRow, 'created_at' | 'created_by'>): NewPetRow => ({
  name: pet.name,
  category_id: pet.categoryId,
  status: pet.status ?? null,
  ...origin,
});
