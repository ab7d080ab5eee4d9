import type { Int64, PetStatus } from '@petstore/contract';
import type { Generated } from 'kysely';

export interface PetsTable {
  id: Generated<Int64>;
  name: string;
  category_id: Int64;
  status: PetStatus | null;
  /** Milliseconds since 1970. This column and the next are null for a pet that another program has added. */
  created_at: Int64 | null;
  /** Name of the API key. */
  created_by: string | null;
}

/** The columns of a new pet. The engine assigns the id. */
export type NewPetRow = Readonly<Omit<PetsTable, 'id'>>;

export interface IdempotencyRecordsTable {
  /** A UUID, bytes on SQLite: the digest of the API key's owner, a colon and the Idempotency-Key. */
  key: Uint8Array | string;
  /** Digest of the NewPet, which tells a repetition from another request. */
  fingerprint: Int64;
  pet_id: Int64;
  /** Minutes since 1970, which fit in 32 bits. */
  created_at: Int64;
}

export interface ApiKeysTable {
  /** SHA-256 of the key, in base64url. */
  hash: string;
  name: string;
  /** Milliseconds since 1970. */
  created_at: Int64;
  /** When the key expires, was rotated out or revoked: milliseconds since 1970. */
  ends_at: Int64 | null;
  /** Why the key ends: `expired`, `rotated` or `revoked`. Null without an end, or if an older release ended it. */
  end_reason: string | null;
  /** A scope of the contract, or of a newer release. */
  scope: string;
  /** `<requests>/<seconds>`, or `none`; null for the limit of the configuration. */
  rate_limit: string | null;
  /** When the hour of its last use began, or its creation if that was later: milliseconds since 1970. */
  last_used_at: Int64 | null;
}

export interface Tables {
  pets: PetsTable;
  idempotency_records: IdempotencyRecordsTable;
  api_keys: ApiKeysTable;
}

/** "PETS": the `application_id` of SQLite files, and the lowest key of our advisory locks on PostgreSQL. */
export const APPLICATION_ID = 0x50455453;

/** The primary key of each table. A table comes after the tables that it refers to. */
export const primaryKeys = {
  pets: 'id',
  idempotency_records: 'key',
  api_keys: 'hash',
} as const satisfies { [Table in keyof Tables]: keyof Tables[Table] };
