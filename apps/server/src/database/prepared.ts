import { type Compilable, type CompiledQuery, type Expression, type Kysely, sql } from 'kysely';
import type { Tables } from './schema.ts';

/** Stands in a query for a value that each run gives. */
class Parameter {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/** Makes the place in a query that a value of this name fills. */
export type Parameters<Values> = <Name extends keyof Values>(
  name: Name,
) => Expression<NonNullable<Values[Name]>>;

const prepared = new WeakSet<CompiledQuery['query']>();

/** Whether `prepare` made a query: of these there are only so many, and of others one per size of a batch. */
export const isPrepared = ({ query }: CompiledQuery) => prepared.has(query);

/**
 * A query that Kysely builds and compiles once for each database, and not each time it runs: for those
 * that stand on the way of every request. The engines keep it prepared.
 *
 * @param build makes the query, with a parameter in place of each value
 * @returns a function that runs it with values for its parameters
 */
export function prepare<Values extends Record<PropertyKey, unknown>, Row>(
  build: (db: Kysely<Tables>, parameter: Parameters<Values>) => Compilable<Row>,
): (db: Kysely<Tables>, values: Values) => Promise<Row[]> {
  const compiled = new WeakMap<Kysely<Tables>, CompiledQuery<Row>>();
  const parameter: Parameters<Values> = (name) => sql`${new Parameter(name)}`;
  const compile = (db: Kysely<Tables>) => {
    const query = build(db, parameter).compile();
    compiled.set(db, query);
    prepared.add(query.query);
    return query;
  };
  return async (db, values) => {
    const query = compiled.get(db) ?? compile(db);
    const parameters = query.parameters.map((value) =>
      value instanceof Parameter ? values[value.name] : value,
    );
    const { rows } = await db.executeQuery<Row>({ ...query, parameters });
    return rows;
  };
}
