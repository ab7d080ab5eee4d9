import {
  type Cursor,
  type Int64,
  int64Bounds,
  NewPet,
  type Pet,
  type PetStatus,
  pageSize,
} from '@petstore/contract';
import type { Database } from '../database/database.ts';
import { int64, isPostgres, textOf } from '../database/query.ts';
import { type PetsTable, query } from '../tables.ts';

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

/** One row more than a page tells whether there is a next page. */
const PAGE_BOUNDS = { maxRows: pageSize.maximum + 1 };

// A page is a range of an index, so a deep page costs as much as the first one.
const pageOfAnyStatus = query(
  { from: int64, limit: int64 },
  (db, $) =>
    db
      .selectFrom('pets')
      .select(selection)
      .where('pets.id', '>=', $('from'))
      .orderBy('pets.id')
      .limit($('limit')),
  PAGE_BOUNDS,
);

// SQLite's planner finds no range of the index in a comparison of rows. With an equality PostgreSQL's planner may use
// the primary key, and read the whole table to find pets with a rare status.
const pageOfStatus = query(
  { status: textOf<PetStatus>(), from: int64, limit: int64 },
  (db, $) =>
    db
      .selectFrom('pets')
      .select(selection)
      .where(({ and, eb, refTuple, tuple }) =>
        isPostgres(db)
          ? and([
              eb(refTuple('pets.status', 'pets.id'), '>=', tuple($('status'), $('from'))),
              eb('pets.status', '<=', $('status')),
            ])
          : and([eb('pets.status', '=', $('status')), eb('pets.id', '>=', $('from'))]),
      )
      .orderBy('pets.status')
      .orderBy('pets.id')
      .limit($('limit')),
  PAGE_BOUNDS,
);

/** A page of the listing: up to `limit` pets, ascending by id. */
export async function listPets(
  database: Pick<Database, 'query'>,
  { limit, after, status }: Page,
): Promise<Pet[]> {
  if (after === int64Bounds.maximum) return [];
  const from = after === undefined ? int64Bounds.minimum : BigInt(after) + 1n;
  const rows =
    status === undefined
      ? await database.query(pageOfAnyStatus({ from, limit }))
      : await database.query(pageOfStatus({ status, from, limit }));
  return rows.map(toPet);
}

interface PageQuery {
  limit: number;
  /** A cursor has the status filter of its page. */
  cursor?: Cursor | undefined;
  status?: PetStatus | undefined;
}

/** A page of the listing, and the cursor of the next page, if there is one. */
export async function readPage(
  database: Pick<Database, 'query'>,
  { limit, cursor, status = cursor?.status }: PageQuery,
): Promise<{ pets: Pet[]; next: (Cursor & { limit: number }) | undefined }> {
  const found = await listPets(database, { limit: limit + 1, after: cursor?.after, status });
  const pets = found.slice(0, limit);
  const last = found.length > limit ? pets.at(-1) : undefined;
  return { pets, next: last && { limit, after: last.id, status } };
}

const selectById = query(
  { id: int64 },
  (db, $) => db.selectFrom('pets').select(selection).where('pets.id', '=', $('id')),
  { maxRows: 1 },
);

export async function findPet(database: Pick<Database, 'query'>, id: Int64): Promise<Pet | undefined> {
  const [row] = await database.query(selectById({ id }));
  return row && toPet(row);
}

interface Origin {
  /** Milliseconds since 1970. */
  createdAt: number;
  createdBy: string | undefined;
}

type NewPetRow = { [Column in Exclude<keyof PetsTable, 'id'>]: PetsTable[Column] };

/** The values of the columns of a new pet. TypeScript reports a missing column. */
export const rowOf = (pet: NewPet, { createdAt, createdBy }: Origin): NewPetRow => ({
  name: pet.name,
  category_id: pet.categoryId,
  status: pet.status ?? null,
  created_at: createdAt,
  created_by: createdBy ?? null,
});

export const newPetColumns = Object.keys(
  rowOf(NewPet.parse({ name: '', categoryId: 0 }), { createdAt: 0, createdBy: undefined }),
);
