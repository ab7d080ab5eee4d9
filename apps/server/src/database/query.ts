import { type Compilable, type CompiledQuery, type Dialect, Kysely, type RawBuilder } from 'kysely';
import { DatabaseFault } from './database-fault.ts';
import { type Int64, toInt64 } from './int64.ts';

export interface ValueTypes {
  int64: Int64;
  text: string;
}

/** Names and types of the parameters of a query. */
export type Parameters = Readonly<Record<string, keyof ValueTypes>>;

/** Values for these parameters; `undefined` is null. */
export type Values<Named extends Parameters = Parameters> = {
  readonly [Name in keyof Named]: ValueTypes[Named[Name]] | null | undefined;
};

/** How a query refers to its parameters: `$('name')`, and `$('status').$castTo<PetStatus>()` for an enumeration. */
type Placeholders<Named extends Parameters> = <Name extends keyof Named & string>(
  name: Name,
) => RawBuilder<ValueTypes[Named[Name]]>;

/** What an engine needs to know of a query. */
export interface Query<Row = unknown> {
  readonly parameters: Parameters;
  readonly maxRows: number;
  /** Builds the statement for an engine. */
  compile(dialect: Dialect, $: (name: string) => RawBuilder<never>): CompiledQuery<Row>;
}

/** A query with its values. */
export interface QueryRun<Row = unknown> {
  readonly query: Query<Row>;
  readonly values: Values;
}

/**
 * Creates the function that makes queries of these tables.
 *
 * A query is a constant of its module: `const byId = query({ id: 'int64' }, (db, $) => …, { maxRows: 1 })`, and
 * `database.query(byId({ id }))` runs it. Each database builds a query that reads once, because Kysely takes longer to
 * build and compile a statement than the engine to run it.
 */
export function createQueries<Tables>() {
  /**
   * @param parameters the names and types of the parameters
   * @param build builds the statement, with `$('name')` for a parameter
   * @param options.maxRows rows at most that a run returns: one with more fails. On PostgreSQL reads that arrive together
   *   share a statement, as long as they return few rows together. A parameter named `limit` tells how many of these
   *   rows a run returns at most @default any number
   * @returns a function of the values, which makes what a database runs
   */
  return <const Named extends Parameters, Row>(
    parameters: Named,
    build: (db: Kysely<Tables>, $: Placeholders<Named>) => Compilable<Row> | RawBuilder<Row>,
    { maxRows = Number.POSITIVE_INFINITY } = {},
  ) => {
    const query: Query<Row> = {
      parameters,
      maxRows,
      compile(dialect, $) {
        const db = new Kysely<Tables>({ dialect });
        return build(db, $).compile(db);
      },
    };
    return (values: Values<Named>): QueryRun<Row> => ({ query, values });
  };
}

/** What an engine returned. */
export interface Result {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/**
 * Makes objects of the rows that an engine returned, with integers in their one form. Their type is what Kysely derived
 * from the tables.
 *
 * @throws DatabaseFault when there are more than the query promises
 */
export function toRows<Row>(
  { maxRows }: Pick<Query, 'maxRows'>,
  { columns, rows }: Result = { columns: [], rows: [] },
): Row[] {
  if (rows.length > maxRows) {
    throw new DatabaseFault(`A query that promises at most ${maxRows} rows returned more`);
  }
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    columns.forEach((column, index) => {
      const value = values[index];
      row[column] = typeof value === 'bigint' ? toInt64(value) : value;
    });
    return row as Row;
  });
}
