import { hash } from 'node:crypto';
import {
  type CompiledQuery,
  type Dialect,
  DummyDriver,
  type Expression,
  InsertQueryNode,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SelectQueryNode,
  sql,
} from 'kysely';
import { createBinder, placeholder, type Query, type Values } from '../../query.ts';

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
   * Makes the statement that runs a select with each of many sets of values, or inserts a row of each. A row of a
   * select ends with the number of its set, from 1, and with the state, which only the first set has. A set without
   * rows has a row of nulls.
   */
  many(sets: readonly Values[]): Statement;
  isSelect: boolean;
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

/** @param state the expression that a select of many sets reads as well */
export function compile(query: Query, state: Expression<unknown>): Compiled {
  const { parameters, bounds } = query;
  const names = Object.keys(parameters);
  const columns = sql.join(names.map((name) => sql.ref(name)));
  const arrays = Object.entries(parameters).map(
    ([name, type]) => sql`${placeholder(name)}::${ARRAY_TYPES[type]}`,
  );
  // A table of the sets of values, from an array for each column.
  const input = sql`unnest(${sql.join(arrays)}) with ordinality as input(${columns}, number)`;
  const rows = sql`select ${columns} from ${input} order by number`;
  const built = query.build(dialect, placeholder, rows);
  const bindArrays = (bind: Bind) => (sets: readonly Values[]) =>
    bind(Object.fromEntries(names.map((name) => [name, sets.map((set) => set[name] ?? null)])));
  if (InsertQueryNode.is(built.toOperationNode())) {
    const many = bindArrays(prepare(built.compile(compiler)));
    return { one: (values) => many([values]), many, isSelect: false };
  }
  // Without a constant the planner expects a tenth of the table, and may sort all rows of a range where it could read
  // a few of them from the index. One more than is promised shows a query that breaks its promise.
  const limit = bounds && sql`limit ${sql.lit(bounds.maxRows + 1)}`;
  // Nothing sorts the result: a lateral join is a nested loop, which leaves the rows of a set in their order.
  const selectMany = sql`
    select output.*, case when input.number = 1 then ${state} end
    from ${input}
    left join lateral (
      select body.*, input.number from (${query.build(dialect, (name) => sql.ref(`input.${name}`), rows)}) as body
      ${limit ?? sql``}
    ) as output on true
  `;
  return {
    one: prepare(built.compile(compiler)),
    many: bindArrays(prepare(selectMany.compile(compiler))),
    isSelect: SelectQueryNode.is(built.toOperationNode()),
  };
}

type Bind = (values: Readonly<Record<string, unknown>>) => Statement;

function prepare(compiled: CompiledQuery): Bind {
  const { sql: text } = compiled;
  // Of the text, so that behind a connection pooler a name never stands for another statement.
  const name = hash('sha256', text, 'base64url');
  const bind = createBinder(compiled);
  return (values) => ({ text, name, values: bind(values) });
}
