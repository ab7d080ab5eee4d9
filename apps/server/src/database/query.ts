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
export type Values<Named extends Parameters> = {
  readonly [Name in keyof Named]?: ValueTypes[Named[Name]] | null | undefined;
};

/** Kysely as it builds statements, and runs none. */
export type Builder = Kysely<Tables>;

/** What Kysely's builders and its `sql` have in common. */
export interface Built<Row> extends OperationNodeSource {
  compile(db: QueryExecutorProvider): CompiledQuery<Row>;
}

/**
 * A statement with parameters, a constant of a module. Each database compiles it once, because Kysely takes longer
 * to build and compile a statement than the engine to run it, and the engine keeps it prepared.
 */
export class Query<Named extends Parameters, Row> {
  readonly parameters: Named;
  readonly build: (db: Builder, $: (name: string) => RawBuilder<never>) => Built<Row>;

  /**
   * @param parameters their names and types
   * @param build makes the statement, with `$(name)` for a parameter
   */
  constructor(
    parameters: Named,
    build: (
      db: Builder,
      $: <Name extends keyof Named & string>(name: Name) => RawBuilder<ValueTypes[Named[Name]]>,
    ) => Built<Row>,
  ) {
    this.parameters = parameters;
    this.build = build;
  }
}

/** An insert of any number of rows in one statement, which is a constant of a module as well. */
export class Insert<Named extends Parameters, Row> {
  readonly parameters: Named;
  readonly build: (db: Builder, rows: Expression<unknown>) => Built<Row>;

  /**
   * @param parameters names and types of the values of a row
   * @param build makes the statement, which takes the rows, with all their values, from an expression
   */
  constructor(parameters: Named, build: Insert<Named, Row>['build']) {
    this.parameters = parameters;
    this.build = build;
  }
}

class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Stands in a compiled query for a value that each run gives. */
export const placeholder = (name: string) => sql<never>`${new Placeholder(name)}`;

/** The values of a run, in the order in which the compiled query takes them. */
export const bindValues = ({ parameters }: CompiledQuery, values: Readonly<Record<string, unknown>>) =>
  parameters.map((value) => (value instanceof Placeholder ? (values[value.name] ?? null) : value));

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
