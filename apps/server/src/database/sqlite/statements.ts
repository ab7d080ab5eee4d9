import type BetterSqlite3 from 'better-sqlite3';
import { SqliteDialect, sql } from 'kysely';
import type { Query, Values } from '../query.ts';

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
    const dialect = new SqliteDialect({ database: this.#connection });
    const { sql, parameters: constants } = query.compile(dialect, hiddenParameter);
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
