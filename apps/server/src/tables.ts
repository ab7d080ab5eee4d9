import type { Int64, Pet } from '@petstore/contract';
import type { Generated } from 'kysely';
import { createQueries, type Parameters } from './database/query.ts';

/** What a value of each type of column is. */
interface ColumnValues {
  int64: Int64;
  text: string;
  /** Each engine gives it in a form of its own. */
  uuid: unknown;
  'int64 or null': Int64 | null;
  'text or null': string | null;
}

/** The types of columns, each with that of its parameter in a query. */
const parameterTypes = {
  int64: 'int64',
  text: 'text',
  uuid: 'text',
  'int64 or null': 'int64',
  'text or null': 'text',
} as const satisfies Record<keyof ColumnValues, Parameters[string]>;

type Columns = Readonly<Record<string, keyof ColumnValues>>;

/** The rows of a table. The engine assigns the id of a new one. */
type Row<Table extends Columns> = {
  [Name in keyof Table]: Name extends 'id' ? Generated<ColumnValues[Table[Name]]> : ColumnValues[Table[Name]];
};

type TypeOf<Value> = Value extends string ? 'text' : Value extends Int64 ? 'int64' : never;

/** The type of the column of a property: with null for one that a pet need not have. */
type ColumnType<Value> = undefined extends Value ? `${TypeOf<NonNullable<Value>>} or null` : TypeOf<Value>;

/**
 * The column of each property of a pet. A property that the contract adds does not compile until it stands here; what
 * is read, inserted and replayed follows from it.
 */
export const petColumns = {
  id: { name: 'id', type: 'int64' },
  name: { name: 'name', type: 'text' },
  categoryId: { name: 'category_id', type: 'int64' },
  status: { name: 'status', type: 'text or null' },
} as const satisfies { [Property in keyof Pet]-?: { name: string; type: ColumnType<Pet[Property]> } };

/** Where a pet comes from. Null for one that another program has added. */
const petOrigin = {
  /** Milliseconds since 1970. */
  created_at: 'int64 or null',
  /** Name of the API key. */
  created_by: 'text or null',
} as const satisfies Columns;

/** A pet as it is read: with null for an optional property that it does not have. */
export type PetRow = {
  [Property in keyof Pet]-?: undefined extends Pet[Property]
    ? NonNullable<Pet[Property]> | null
    : Pet[Property];
};

/** A pet. Rows are only added, never changed or removed. */
type PetsTable = {
  [Property in keyof PetRow as (typeof petColumns)[Property]['name']]: PetRow[Property];
} & Row<typeof petOrigin>;

/** An idempotency record: what a createPet with an Idempotency-Key added. Appends read and write it. */
const idempotencyRecords = {
  /** Digest of the owner of the API key, a colon, and the Idempotency-Key: so the keys of two callers never meet. */
  key: 'uuid',
  /** Digest of the NewPet, which distinguishes a repetition from another request. */
  fingerprint: 'int64',
  pet_id: 'int64',
  /** Minutes since 1970. */
  created_at: 'int64',
} as const satisfies Columns;

/** An API key. Only its digest is stored; the key itself is shown once. */
const apiKeys = {
  /** SHA-256 of the key, in base64url. */
  hash: 'text',
  name: 'text',
  /** Milliseconds since 1970. */
  created_at: 'int64',
  /** From when on the key is refused, in milliseconds since 1970: when it is revoked, expires or was rotated out. */
  ends_at: 'int64 or null',
  /** What the key may do: a scope of the contract. */
  scope: 'text',
  /** `<requests>/<seconds>`, or `none`; null for that of the configuration. */
  rate_limit: 'text or null',
  /** The hour of its last use, in milliseconds since 1970. */
  last_used_at: 'int64 or null',
} as const satisfies Columns;

export interface Tables {
  pets: PetsTable;
  idempotency_records: Row<typeof idempotencyRecords>;
  api_keys: Row<typeof apiKeys>;
}

const columnsOfPets: Columns = {
  ...Object.fromEntries(Object.values(petColumns).map(({ name, type }) => [name, type])),
  ...petOrigin,
};

/**
 * Every table with its columns, of which the first is its primary key. A table comes after those that it refers to. A
 * test compares them with what the migrations make.
 */
export const tables: Readonly<Record<keyof Tables, Columns>> = {
  pets: columnsOfPets,
  idempotency_records: idempotencyRecords,
  api_keys: apiKeys,
};

/** The columns of a new pet, with their types. */
export const newPetColumns: Parameters = Object.fromEntries(
  Object.entries(columnsOfPets)
    .filter(([name]) => name !== petColumns.id.name)
    .map(([name, type]) => [name, parameterTypes[type]]),
);

/** Makes a query of these tables. */
export const query = createQueries<Tables>();
