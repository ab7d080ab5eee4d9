import type { Int64, PetStatus } from '@petstore/contract';
import type { GeneratedAlways } from 'kysely';

/** An animal. Rows are only ever added. */
interface PetsTable {
  id: GeneratedAlways<Int64>;
  name: string;
  category_id: Int64;
  status: PetStatus | null;
}

/** What a createPet with an Idempotency-Key led to. */
interface IdempotencyKeysTable {
  /** The API key's name, a colon, and the Idempotency-Key: one caller's keys never meet another's. */
  key: string;
  /** Digest of the NewPet, to tell a repetition from another request. */
  fingerprint: string;
  pet_id: Int64;
  /** Milliseconds since 1970. */
  created_at: Int64;
}

/** An API key: the digest only, the key itself is shown once and kept nowhere. */
interface ApiKeysTable {
  name: string;
  /** SHA-256 of the key, in base64url. */
  hash: string;
  /** Milliseconds since 1970. */
  created_at: Int64;
  /** Milliseconds since 1970; null while the key is valid. */
  revoked_at: Int64 | null;
}

export interface Tables {
  pets: PetsTable;
  idempotency_keys: IdempotencyKeysTable;
  api_keys: ApiKeysTable;
}
