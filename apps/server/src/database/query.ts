import {
  type CompiledQuery,
  type Dialect,
  Kysely,
  type OperationNodeSource,
  type QueryExecutorProvider,
  type RawBuilder,
  sql,
} from 'kysely';
import { DatabaseFault } from './database-fault.ts';
import { type Int64, toInt64 } from './int64.ts';

export interface ValueTypes {
  int64: Int64;
  text: string;
}

/** Names and types of the parameters of a query. */
export type Parameters = Readonly<Record<string, keyof ValueTypes>>;

/** Values for these parameters; one that is left out is null. */
export type Values<Named extends Parameters = Parameters> = {
  readonly [Name in keyof Named]?: ValueTypes[Named[Name]] | null | undefined;
};

/** What Kysely's builders and its `sql` have in common. */
export interface Built<Row> extends OperationNodeSource {
  compile(db: QueryExecutorProvider): CompiledQuery<Row>;
}

/** How a query refers to its parameters: `$('name')`. */
export type Placeholders<Named extends Parameters> = <Name extends keyof Named & string>(
  name: Name,
) => RawBuilder<ValueTypes[Named[Name]]>;

/** What a query promises. */
export interface QueryBounds<Name extends string = string> {
  /**
   * Rows at most that a run returns, whatever its values: one with more fails, on every engine. Only a query that says
   * so can share a statement with others.
   */
  readonly maxRows: number;
  /** The parameter that says how many rows of these a run returns at most. @default maxRows */
  readonly limit?: Name;
}

/**
 * A statement with parameters, a constant of a module. Each database compiles it once, because Kysely takes longer
 * to build and compile a statement than the engine to run it, and the engine keeps it prepared.
 */
export interface Query<Named extends Parameters = Parameters, Row = unknown> {
  readonly parameters: Named;
  readonly bounds: QueryBounds | undefined;
  /** Builds the statement for an engine. */
  build(dialect: Dialect, $: (name: string) => RawBuilder<never>): Built<Row>;
}

/**
 * Creates the function that makes queries of these tables.
 *
 * @returns a function of the parameters' names and types, and of a function that builds the statement with `$(name)`
 *   for a parameter
 */
export function createQueries<Tables>() {
  // Builds and compiles, and runs nothing.
  const builders = new WeakMap<Dialect, Kysely<Tables>>();
  const builderOf = (dialect: Dialect) => {
    const builder = builders.get(dialect) ?? new Kysely<Tables>({ dialect });
    builders.set(dialect, builder);
    return builder;
  };
  return <const Named extends Parameters, Row>(
    parameters: Named,
    build: (db: Kysely<Tables>, $: Placeholders<Named>) => Built<Row>,
    bounds?: QueryBounds<keyof Named & string>,
  ): Query<Named, Row> => ({
    parameters,
    bounds,
    build: (dialect, $) => build(builderOf(dialect), $),
  });
}

/** A run of a query: the query with its values. */
export interface QueryRun<Row = unknown> {
  readonly query: Query<Parameters, Row>;
  readonly values: Values;
}

/** Makes the run of a query with these values. */
export const runOf = <Named extends Parameters, Row>(
  query: Query<Named, Row>,
  values: Values<Named>,
): QueryRun<Row> => ({ query, values });

/** Rows at most that a run with these values returns. */
export const maxRowsOf = ({ maxRows, limit }: QueryBounds, values: Values): number =>
  limit === undefined ? maxRows : Math.min(maxRows, Number(values[limit] ?? maxRows));

/** @throws DatabaseFault when a run of the query returned more rows than it promises */
export function assertBounds({ bounds }: Pick<Query, 'bounds'>, rowCount: number): void {
  if (bounds !== undefined && rowCount > bounds.maxRows) {
    throw new DatabaseFault(`A query that promises at most ${bounds.maxRows} rows returned more`);
  }
}

/** Stands in a compiled query for a value that each run gives: a symbol, as no value is. */
export const placeholder = (name: string) => sql<never>`${Symbol(name)}`;

/** @returns a function that puts the values of a run into the order in which the compiled query takes them */
export function createBinder({ parameters }: CompiledQuery) {
  const names = parameters.map((value) => (typeof value === 'symbol' ? value.description : undefined));
  return (values: Readonly<Record<string, unknown>>): unknown[] =>
    names.map((name, index) => (name === undefined ? parameters[index] : (values[name] ?? null)));
}

/** A row as an object, with integers in their one form. Its type is what Kysely derived from the tables. */
export function toRow<Row>(columns: readonly string[], values: readonly unknown[]): Row {
  const row: Record<string, unknown> = {};
  columns.forEach((column, index) => {
    const value = values[index];
    row[column] = typeof value === 'bigint' ? toInt64(value) : value;
  });
  return row as Row;
}
