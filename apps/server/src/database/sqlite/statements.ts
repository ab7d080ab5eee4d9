import type BetterSqlite3 from 'better-sqlite3';
import {
  type Dialect,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import type { Query, Values } from '../query.ts';

/** For building and compiling statements: it runs nothing. */
const dialect: Dialect = {
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
};
const compiler = new Kysely<unknown>({ dialect });

interface Prepared {
  readonly sql: string;
  /** The values that stand in the query itself: those of a run have names. */
  readonly constants: readonly unknown[];
  readonly statement: BetterSqlite3.Statement<[readonly unknown[], Values], unknown[]>;
  readonly columns: readonly string[];
}

/** The queries of a connection that reads, each compiled and prepared once. */
export class Statements {
  readonly #connection: BetterSqlite3.Database;
  readonly #prepared = new WeakMap<Query, Prepared>();

  constructor(connection: BetterSqlite3.Database) {
    this.#connection = connection;
  }

  /** Finds a query as this connection runs it, and whether it only reads. */
  prepare(query: Query): Prepared {
    const known = this.#prepared.get(query);
    if (known !== undefined) return known;
    const { sql, parameters: constants } = query.build(dialect, hiddenParameter).compile(compiler);
    const statement = this.#connection.prepare<[readonly unknown[], Values], unknown[]>(sql);
    const found = statement.reader ? statement.raw().columns() : [];
    const columns = found.map(({ name }) => name);
    const prepared = { sql, constants, statement, columns };
    this.#prepared.set(query, prepared);
    return prepared;
  }
}

/**
 * A parameter that SQLite's planner does not see. Where it sees one in a range or a limit, every new value makes it
 * compile the statement again: a page of 21 rows takes 1.6 times the processor time (12.7 instead of 8.0 µs, medians of
 * five times 20,000 pages).
 */
const hiddenParameter = (name: string) => sql.raw<never>(`+:${name}`);
