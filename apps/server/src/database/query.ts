import { type Int64, normalizeInteger } from '@petstore/contract';
import {
  type CompiledQuery,
  type Expression,
  type Kysely,
  type OperationNodeSource,
  type QueryExecutorProvider,
  type RawBuilder,
  sql,
} from 'kysely';
import type { Tables } from './schema.ts';

interface ValueTypes {
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
interface Built<Row> extends OperationNodeSource {
  compile(db: QueryExecutorProvider): CompiledQuery<Row>;
}

/**
 * A statement with parameters, a constant of a module. Each database compiles it once, because Kysely takes longer
 * to build and compile a statement than the engine to run it, and the engine keeps it prepared.
 */
export class Query<Named extends Parameters = Parameters, Row = unknown> {
  readonly parameters: Named;
  readonly build: (
    db: Kysely<Tables>,
    $: (name: string) => RawBuilder<never>,
    rows: Expression<unknown>,
  ) => Built<Row>;

  /**
   * @param parameters their names and types
   * @param build makes the statement, with `$(name)` for a parameter. An insert takes its rows from `rows`: of all
   *   parameters, in their order
   */
  constructor(
    parameters: Named,
    build: (
      db: Kysely<Tables>,
      $: <Name extends keyof Named & string>(name: Name) => RawBuilder<ValueTypes[Named[Name]]>,
      rows: Expression<unknown>,
    ) => Built<Row>,
  ) {
    this.parameters = parameters;
    this.build = build;
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

/** A row as an object, with integers in their one form. Its type is what Kysely derived from the schema. */
export function toRow<Row>(columns: readonly string[], values: readonly unknown[]): Row {
  const row: Record<string, unknown> = {};
  columns.forEach((column, index) => {
    const value = values[index];
    row[column] = typeof value === 'bigint' ? normalizeInteger(value) : value;
  });
  return row as Row;
}

/** Fails when pets cannot be read. */
export const probe = new Query({}, (db) => db.selectFrom('pets').select('id').limit(1));
