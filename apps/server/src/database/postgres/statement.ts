import { hash } from 'node:crypto';
import {
  type CompiledQuery,
  DummyDriver,
  type Expression,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SelectQueryNode,
  sql,
} from 'kysely';
import { bindValues, type Insert, type Parameters, placeholder, type Query } from '../query.ts';
import type { Tables } from '../schema.ts';

/** What the driver takes. */
export interface Statement {
  text: string;
  /** Under which a connection keeps it prepared. */
  name?: string;
  values?: unknown[];
}

type Values = Readonly<Record<string, unknown>>;

/** A query, compiled for PostgreSQL. */
export interface Compiled {
  /** Makes the statement that runs it with these values. */
  one(values: Values): Statement;
  /**
   * Makes the statement that runs a select with each of many sets of values. A row ends with the number of its set,
   * from 1, and with a snapshot, which only the first set has. A set without rows has a row of nulls.
   */
  many(sets: readonly Values[]): Statement;
  /** Whether it can run with many sets of values: a select with parameters. */
  canRunMany: boolean;
}

/** It builds and compiles, and runs nothing. */
const builder = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/**
 * Rows at most for each set of values of a select. Without a constant the planner expects a tenth of the table,
 * and may sort all pets of a status where it could read a few of them from the index.
 */
const MAX_ROWS = 1_000;

const ARRAY_TYPES = { int64: sql`bigint[]`, text: sql`text[]` };

/** @param snapshot the expression that a select of many sets reads as well */
export function compile(query: Query<Parameters, unknown>, snapshot: Expression<unknown>): Compiled {
  const { parameters } = query;
  const one = query.build(builder, placeholder);
  const body = query.build(builder, (name) => sql.ref(`input.${name}`));
  // Nothing sorts the result: a lateral join is a nested loop, which leaves the rows of a set in their order.
  const many = sql`
    select output.*, case when input.number = 1 then ${snapshot} end
    from ${tableOf(parameters)}
    left join lateral (
      select body.*, input.number from (${body}) as body limit ${sql.lit(MAX_ROWS)}
    ) as output on true
  `;
  const bindMany = bind(many.compile(builder));
  return {
    one: bind(one.compile(builder)),
    many: (sets) => bindMany(arraysOf(parameters, sets)),
    canRunMany: SelectQueryNode.is(one.toOperationNode()) && Object.keys(parameters).length > 0,
  };
}

/** Compiles an insert of any number of rows. */
export function compileInsert({ parameters, build }: Insert<Parameters, unknown>): Compiled['many'] {
  const rows = sql`select ${columnsOf(parameters)} from ${tableOf(parameters)} order by number`;
  const bindRows = bind(build(builder, rows).compile(builder));
  return (sets) => bindRows(arraysOf(parameters, sets));
}

/** A table of many sets of values, which takes an array for each column, and numbers the sets from 1. */
function tableOf(parameters: Parameters) {
  const arrays = Object.entries(parameters).map(
    ([name, type]) => sql`${placeholder(name)}::${ARRAY_TYPES[type]}`,
  );
  return sql`unnest(${sql.join(arrays)}) with ordinality as input(${columnsOf(parameters)}, number)`;
}

const columnsOf = (parameters: Parameters) => sql.join(Object.keys(parameters).map((name) => sql.ref(name)));

const arraysOf = (parameters: Parameters, sets: readonly Values[]): Values =>
  Object.fromEntries(Object.keys(parameters).map((name) => [name, sets.map((set) => set[name] ?? null)]));

function bind(compiled: CompiledQuery): (values: Values) => Statement {
  const { sql: text } = compiled;
  // Of the text, so that behind a connection pooler a name never stands for another statement.
  const name = hash('sha256', text, 'base64url');
  return (values) => ({ text, name, values: bindValues(compiled, values) });
}
