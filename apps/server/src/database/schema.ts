import type { Int64, PetStatus } from '@petstore/contract';
import type { Generated, GeneratedAlways } from 'kysely';

/** A pet. Rows are only added, never changed or removed. */
interface PetsTable {
  id: GeneratedAlways<Int64>;
  name: string;
  category_id: Int64;
  status: PetStatus | null;
}

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
}

/** What a release leaves for older ones: which of them can serve after a migration that they do not know. */
interface SchemaCompatibilityTable {
  migration: string;
  /** The name of the oldest migration that such a release must know. */
  serves_since: string;
}

export interface Tables {
  pets: PetsTable;
  idempotency_keys: IdempotencyKeysTable;
  api_keys: ApiKeysTable;
  schema_compatibility: SchemaCompatibilityTable;
}
