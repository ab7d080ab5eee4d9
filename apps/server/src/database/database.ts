import type { Kysely } from 'kysely';
import type { Tables } from './schema.ts';

/** An open database: Kysely for the repositories, and what differs from engine to engine. */
export interface Database extends AsyncDisposable {
  kysely: Kysely<Tables>;
  /** Whether an error means that the database cannot answer now, though it may later. */
  isUnavailable(error: unknown): boolean;
}
