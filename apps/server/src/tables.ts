import type { Int64, Pet } from '@petstore/contract';
import { createQueries, type Parameters } from '@petstore/database/query';
import type { Generated } from 'kysely';

type ColumnType<Value> = Value extends string ? 'text' : Value extends Int64 ? 'int64' : never;

/**
 * The column of each property of a pet. A property that the contract adds does not compile until it stands here; what
 * is read, inserted and replayed follows from it.
 */
export const petColumns = {
  id: { name: 'id', type: 'int64' },
  name: { name: 'name', type: 'text' },
  categoryId: { name: 'category_id', type: 'int64' },
  status: { name: 'status', type: 'text' },
} as const satisfies { [Property in keyof Pet]-?: { name: string; type: ColumnType<Pet[Property]> } };

const { id: _assigned, ...given } = petColumns;

/** The columns of a new pet, with their types. */
export const newPetColumns: Parameters = {
  ...Object.fromEntries(Object.values(given).map(({ name, type }) => [name, type])),
  created_at: 'int64',
  created_by: 'text',
};

/** A pet as it is read: with null for an optional property that it does not have. */
export type PetRow = {
  [Property in keyof Pet]-?: undefined extends Pet[Property]
    ? NonNullable<Pet[Property]> | null
    : Pet[Property];
};

/** A pet. Rows are only added, never changed or removed. */
type PetsTable = { [Property in keyof PetRow as (typeof petColumns)[Property]['name']]: PetRow[Property] } & {
  /** Milliseconds since 1970. Null for a pet that another program has added, or a release before this column. */
  created_at: Int64 | null;
  /** Name of the API key. Null likewise. */
  created_by: string | null;
};

/** An idempotency record: what a createPet with an Idempotency-Key added. */
interface IdempotencyKeysTable {
  /** The owner of the API key, a colon, and the Idempotency-Key: so the keys of two callers never meet. */
  key: string;
  /** Digest of the NewPet, which distinguishes a repetition from another request. */
  fingerprint: string;
  pet_id: Int64;
  /** Milliseconds since 1970. */
  created_at: Int64;
}

/** An API key. Only its digest is stored; the key itself is shown once. */
interface ApiKeysTable {
  name: string;
  /** SHA-256 of the key, in base64url. */
  hash: string;
  /** Milliseconds since 1970. */
  created_at: Int64;
  /** From when on the key is refused, in milliseconds since 1970: when it is revoked, expires or was rotated out. */
  revoked_at: Int64 | null;
  /** What it may do: a scope of the contract. */
  scope: Generated<string>;
  /** The hour of its last use, in milliseconds since 1970. */
  last_used_at: Int64 | null;
  /** `<requests>/<seconds>`, or `none`; null for that of the configuration. */
  rate_limit: string | null;
  /** The operator who has issued the key. */
  created_by: string | null;
  /** The operator who has revoked or rotated the key, and when, in milliseconds since 1970. */
  revoked_by: string | null;
  revocation_at: Int64 | null;
}

export interface Tables {
  pets: PetsTable;
  idempotency_keys: IdempotencyKeysTable;
  api_keys: ApiKeysTable;
}

/** Makes a query of these tables. */
export const query = createQueries<Tables>();
