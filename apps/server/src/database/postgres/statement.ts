import { hash } from 'node:crypto';
import {
  type CompiledQuery,
  type Dialect,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SelectQueryNode,
  sql,
} from 'kysely';
import { createBinder, placeholder, type Query, type QueryBounds, type Values } from '../query.ts';

/** What the driver takes. */
export interface Statement {
  text: string;
  /** Under which a connection keeps it prepared. */
  name?: string;
  values?: unknown[];
}

/** A query, compiled for PostgreSQL. */
export interface Compiled {
  /** Makes the statement that runs it with these values. */
  one(values: Values): Statement;
  /**
   * Of a select with bounds and parameters: makes the statement that runs it with each of many sets of values. A row
   * ends with the number of its set, from 1.
   */
  many: ((sets: readonly Values[]) => Statement) | undefined;
}

/** For building and compiling statements: it runs nothing. */
const dialect: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
};
const compiler = new Kysely<unknown>({ dialect });

const ARRAY_TYPES = { int64: sql`bigint[]`, text: sql`text[]` };

export function compile(query: Query): Compiled {
  const built = query.build(dialect, placeholder);
  const { bounds, parameters } = query;
  const canShare = SelectQueryNode.is(built.toOperationNode()) && Object.keys(parameters).length > 0;
  return {
    one: prepare(built.compile(compiler)),
    many: canShare && bounds ? compileMany(query, bounds) : undefined,
  };
}

function compileMany({ parameters, build }: Query, { maxRows }: QueryBounds) {
  const names = Object.keys(parameters);
  const arrays = Object.entries(parameters).map(
    ([name, type]) => sql`${placeholder(name)}::${ARRAY_TYPES[type]}`,
  );
  // A table of the sets of values, from an array for each column. Nothing sorts the result: a lateral join is a nested
  // loop, which leaves the rows of a set in their order. Without a constant as its limit the planner expects a tenth of
  // the table, and may sort all rows of a range where it could read a few of them from the index. One more than is
  // promised shows a query that breaks its promise.
  const select = sql`
    select output.* from unnest(${sql.join(arrays)}) with ordinality as input(${sql.join(names.map((name) => sql.ref(name)))}, number)
    cross join lateral (
      select body.*, input.number from (${build(dialect, (name) => sql.ref(`input.${name}`))}) as body
      limit ${sql.lit(maxRows + 1)}
    ) as output
  `;
  const bind = prepare(select.compile(compiler));
  return (sets: readonly Values[]) =>
    bind(Object.fromEntries(names.map((name) => [name, sets.map((set) => set[name] ?? null)])));
}

function prepare(compiled: CompiledQuery) {
  const { sql: text } = compiled;
  // Of the text, so that behind a connection pooler a name never stands for another statement.
  const name = hash('sha256', text, 'base64url');
  const bind = createBinder(compiled);
  return (values: Readonly<Record<string, unknown>>): Statement => ({ text, name, values: bind(values) });
}
