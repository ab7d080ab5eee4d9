import { type Kysely, PostgresAdapter } from 'kysely';

/** For the few statements that differ between the engines. */
export const engineOf = <Tables>(db: Kysely<Tables>): 'sqlite' | 'postgres' =>
  db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
