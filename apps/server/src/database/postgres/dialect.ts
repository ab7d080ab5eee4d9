import { type Dialect, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { type Engine, EngineDriver } from '../driver.ts';

/** Kysely's own dialect for PostgreSQL runs each read alone, and a write without the lock. */
export const createDialect = (engine: Engine): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new EngineDriver(engine),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});
