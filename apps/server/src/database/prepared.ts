import {
  type Compilable,
  CompiledQuery,
  type DialectAdapter,
  type Expression,
  type Kysely,
  sql,
} from 'kysely';
import type { Tables } from './schema.ts';

/** Beyond it a query is built anew each time: more texts would take memory for sizes that seldom come. */
const MAX_PREPARED_ROWS = 128;

type Row = Record<PropertyKey, unknown>;

/** Stands in a query for a value that each run gives. */
class Parameter {
  readonly row: number;
  readonly name: PropertyKey;

  constructor(row: number, name: PropertyKey) {
    this.row = row;
    this.name = name;
  }
}

/** Makes the place in a query that a value of this name fills. */
export type Parameters<Values> = <Name extends keyof Values>(
  name: Name,
) => Expression<NonNullable<Values[Name]>>;

const parametersOf =
  <Values>(row: number): Parameters<Values> =>
  (name) =>
    sql`${new Parameter(row, name)}`;

const prepared = new WeakSet<CompiledQuery['query']>();

/** Whether a query was compiled for a single row: of these there are only so many, and of others one per size. */
export const isPrepared = ({ query }: CompiledQuery) => prepared.has(query);

/**
 * A query that Kysely builds and compiles once for each database, and not each time it runs: for those
 * that stand on the way of every request. The engines keep it prepared.
 *
 * @param build makes the query, with a parameter in place of each value
 * @returns a function that runs it with values for its parameters
 */
export function prepare<Values extends Row, Result>(
  build: (db: Kysely<Tables>, parameter: Parameters<Values>) => Compilable<Result>,
): (db: Kysely<Tables>, values: Values) => Promise<Result[]> {
  const run = prepareRows<Values, Result>((db) => build(db, parametersOf(0)));
  return (db, values) => run(db, [values]);
}

/**
 * The same for a query whose text depends on how many rows of values it is given: compiled once for each number.
 *
 * @param build makes the query, with the parameters of each row
 * @returns a function that runs it with rows of values; with none it does nothing
 */
export function prepareRows<Values extends Row, Result>(
  build: (db: Kysely<Tables>, rows: readonly Parameters<Values>[]) => Compilable<Result>,
): (db: Kysely<Tables>, rows: readonly Values[]) => Promise<Result[]> {
  // All transactions of a database have its adapter in common.
  const kept = new WeakMap<DialectAdapter, Map<number, CompiledQuery<Result>>>();

  function compile(db: Kysely<Tables>, size: number): CompiledQuery<Result> {
    const rows = Array.from({ length: size }, (_, row) => parametersOf<Values>(row));
    const { sql: text, parameters } = build(db, rows).compile();
    // Without Kysely's tree, which is many times as large as the text.
    const query = CompiledQuery.raw(text, [...parameters]);
    if (size === 1) prepared.add(query.query);
    const { adapter } = db.getExecutor();
    const bySize = kept.get(adapter) ?? new Map<number, CompiledQuery<Result>>();
    if (size <= MAX_PREPARED_ROWS) kept.set(adapter, bySize.set(size, query));
    return query;
  }

  return async (db, rows) => {
    const { length: size } = rows;
    if (size === 0) return [];
    const query = kept.get(db.getExecutor().adapter)?.get(size) ?? compile(db, size);
    const parameters = query.parameters.map((value) =>
      value instanceof Parameter ? (rows[value.row]?.[value.name] ?? null) : value,
    );
    const result = await db.executeQuery<Result>({ ...query, parameters });
    return result.rows;
  };
}
