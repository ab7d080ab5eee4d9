import { type Compilable, type CompiledQuery, type Expression, type Kysely, sql } from 'kysely';
import type { Tables } from './schema.ts';

/** Stands in a query for a value that each run gives. */
class Parameter {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A place in a prepared query that each run fills with the value of this name. */
export const parameter = <Value>(name: string): Expression<Value> => sql<Value>`${new Parameter(name)}`;

/**
 * A query that Kysely builds and compiles once for each database, and not each time it runs: for those
 * that stand on the way of every request.
 *
 * @returns a function that runs it with values for its parameters
 */
export function prepare<Values extends Record<string, unknown>, Row>(
  build: (db: Kysely<Tables>) => Compilable<Row>,
): (db: Kysely<Tables>, values: Values) => Promise<Row[]> {
  const compiled = new WeakMap<Kysely<Tables>, CompiledQuery<Row>>();
  return async (db, values) => {
    const query = compiled.get(db) ?? build(db).compile();
    compiled.set(db, query);
    const parameters = query.parameters.map((value) =>
      value instanceof Parameter ? values[value.name] : value,
    );
    const { rows } = await db.executeQuery<Row>({ ...query, parameters });
    return rows;
  };
}
