import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { type Engine, EngineDriver } from '../driver.ts';
import { Placeholder } from '../prepared.ts';

/** Kysely's own dialect for SQLite has one connection, and blocks the event loop while the disk is slow. */
export const createDialect = (engine: Engine): Dialect => ({
  createAdapter: () => new Adapter(),
  createDriver: () => new EngineDriver(engine),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new QueryCompiler(),
});

class Adapter extends SqliteAdapter {
  /** Otherwise reads would wait for the end of a transaction. */
  override get supportsMultipleConnections() {
    return true;
  }
}

class QueryCompiler extends SqliteQueryCompiler {
  /** The `+` keeps SQLite from compiling again for each new limit: a page takes 8.0 instead of 12.7 µs. */
  protected override appendValue(value: unknown): void {
    if (value instanceof Placeholder) this.append('+');
    super.appendValue(value);
  }
}
