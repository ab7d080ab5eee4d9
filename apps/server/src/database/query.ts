import {
  type Compilable,
  type CompiledQuery,
  type Dialect,
  Kysely,
  PostgresAdapter,
  type RawBuilder,
} from 'kysely';
import { DatabaseFault } from './database-fault.ts';
import { type Int64, toInt64 } from './int64.ts';

export interface Parameter<Value> {
  readonly type: 'int64' | 'text';
  /** Never set. It carries the type `Value` for TypeScript. */
  readonly value?: Value;
}

export const int64: Parameter<Int64> = { type: 'int64' };
export const text: Parameter<string> = { type: 'text' };

export const textOf = <Value extends string>(): Parameter<Value> => ({ type: 'text' });

export type Parameters = Readonly<Record<string, Parameter<Int64 | string>>>;

type ValueOf<Given> = Given extends Parameter<infer Value> ? Value : never;

/** `undefined` is sent as null. */
export type Values<Named extends Parameters = Parameters> = {
  readonly [Name in keyof Named]: ValueOf<Named[Name]> | null | undefined;
};

type Placeholders<Named extends Parameters> = <Name extends keyof Named & string>(
  name: Name,
) => RawBuilder<ValueOf<Named[Name]>>;

export interface Query<Row = unknown> {
  readonly parameters: Parameters;
  readonly maxRows: number;
  compile(dialect: Dialect, $: (name: string) => RawBuilder<never>): CompiledQuery<Row>;
}

export interface QueryRun<Row = unknown> {
  readonly query: Query<Row>;
  readonly values: Values;
}

/**
 * Creates the function that makes queries of these tables. A query is a constant of its module:
 * `const byId = query({ id: int64 }, (db, $) => …, { maxRows: 1 })`, and `database.query(byId({ id }))` runs it. Kysely
 * takes longer to compile a statement than the engine to run it, so a database compiles a read query only once.
 */
export function createQueries<Tables>() {
  /**
   * @param build builds the statement, with `$('name')` for a parameter
   * @param options.maxRows a run that returns more rows fails. On PostgreSQL reads that arrive together share a
   *   statement, up to a sum of `maxRows`. A parameter named `limit` replaces `maxRows` there. @default any number
   * @returns a function from values to an argument of `Database.query`
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

export interface Result {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/**
 * Makes objects of the rows that an engine returned. Kysely has inferred `Row` from the tables and the statement.
 * @throws DatabaseFault when there are more rows than the query promises
 */
export function toRows<Row>(query: Pick<Query<Row>, 'maxRows'>, result?: Result): Row[];
export function toRows(
  { maxRows }: Pick<Query, 'maxRows'>,
  { columns, rows }: Result = { columns: [], rows: [] },
) {
  if (rows.length > maxRows) {
    throw new DatabaseFault(`A query that promises at most ${maxRows} rows returned more`);
  }
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    columns.forEach((column, index) => {
      const value = values[index];
      row[column] = typeof value === 'bigint' ? toInt64(value) : value;
    });
    return row;
  });
}

export const isPostgres = <Tables>(db: Kysely<Tables>): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter;
