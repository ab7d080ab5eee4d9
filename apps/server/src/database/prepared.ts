import type { Int64 } from '@petstore/contract';
import { type Compilable, type CompiledQuery, type Expression, type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** The most rows that a prepared query may return: reads that share a statement are in memory together. */
export const MAX_PREPARED_ROWS = 500;

/** On PostgreSQL, numbers are sent as `bigint`, strings as `text`. */
type Values = Readonly<Record<string, Int64 | string>>;

export type Placeholders<Named extends Values> = {
  readonly [Name in keyof Named]: Expression<Named[Name]>;
};

/** Takes the place of a value in a query that is compiled once. */
export class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A query that was compiled once, with the values of one run. */
export interface PreparedQuery<Row = unknown> extends CompiledQuery<Row> {
  readonly values: Values;
}

export const isPrepared = (query: CompiledQuery): query is PreparedQuery => 'values' in query;

/**
 * Prepares a frequent read. Kysely takes longer to compile a query than the engine to run it, so a database compiles
 * it once: `const byId = prepared((db, { id }: Placeholders<{ id: Int64 }>) => …)`, and `await byId(db, { id })` runs it.
 * On PostgreSQL runs that arrive together share a statement, as long as its rows are few. A placeholder `limit` says how
 * many rows a run may return; without it a run counts as one row.
 * @returns a function that returns the rows, at most `MAX_PREPARED_ROWS`
 */
export function prepared<Named extends Values, Row>(
  build: (db: Kysely<Tables>, placeholders: Placeholders<Named>) => Compilable<Row>,
): (db: Kysely<Tables>, values: Named) => Promise<Row[]> {
  const compiledQueries = new WeakMap<Kysely<Tables>, CompiledQuery<Row>>();
  return async (db, values) => {
    let compiled = compiledQueries.get(db);
    if (compiled === undefined) {
      compiled = build(db, placeholdersFor(values)).compile();
      compiledQueries.set(db, compiled);
    }
    const parameters: unknown[] = [];
    for (const value of compiled.parameters) {
      parameters.push(value instanceof Placeholder ? values[value.name] : value);
    }
    const query: PreparedQuery<Row> = { ...compiled, parameters, values };
    const { rows } = await db.executeQuery<Row>(query);
    if (rows.length <= MAX_PREPARED_ROWS) return rows;
    throw new Error(`A prepared query returned more than ${MAX_PREPARED_ROWS} rows`);
  };
}

/** An overload states the type, because TypeScript loses the names in `Object.fromEntries`. */
function placeholdersFor<Named extends Values>(values: Named): Placeholders<Named>;
function placeholdersFor(values: Values) {
  return Object.fromEntries(Object.keys(values).map((name) => [name, sql`${new Placeholder(name)}`]));
}
