import { hash } from 'node:crypto';
import { Kysely, PostgresDialect, PostgresQueryCompiler, SelectQueryNode, sql } from 'kysely';
import pg from 'pg';
import { int64, type Query, type QueryRun, type Values } from '../query.ts';

/** For dialects that only build and compile statements. */
const config = { pool: () => Promise.reject(new Error('This dialect runs nothing')) };

const dialect = new PostgresDialect(config);

const TYPES = { int64: 'bigint', text: 'text' } as const;

/**
 * Compiles a query that reads, so that one statement runs it with many sets of values.
 *
 * @returns a function that makes the statement for these sets. A row ends with the index of its set. `undefined` for a
 *   query that may write
 */
export function compileRead({ parameters, maxRows, compile }: Query) {
  const { query } = compile(dialect, (name) => sql.ref(`input.${name}`));
  if (!SelectQueryNode.is(query)) return undefined;
  const body = { toOperationNode: () => query };
  const names = Object.keys(parameters);
  const types = [int64, ...Object.values(parameters)];
  const arrays = types.map(({ type }) => sql`${sql.val(null)}::${sql.raw(TYPES[type])}[]`);
  const columns = ['set index', ...names].map((name) => sql.ref(name));
  // A table of the sets of values, from an array for each column. Nothing sorts the result: a lateral join is a nested
  // loop, which leaves the rows of a set in their order. Without a constant as its limit the planner expects a tenth of
  // the table, and may sort all rows of a range where it could read a few of them from the index. One more than is
  // promised shows a query that breaks its promise.
  const select = sql`
    select output.* from unnest(${sql.join(arrays)}) as input(${sql.join(columns)}) cross join lateral (
      select body.*, input."set index" from (${body}) as body
      limit ${sql.lit(Number.isFinite(maxRows) ? maxRows + 1 : null)}
    ) as output
  `;
  const compiled = select.compile(new Kysely({ dialect }));
  const { sql: text } = compiled;
  const constants = compiled.parameters.slice(arrays.length);
  // A digest of the text: behind a pooler, which shares sessions, a name never stands for another statement.
  const name = hash('sha256', text, 'base64url');
  return (sets: readonly Values[]): pg.QueryConfig => {
    const columns = names.map((name) => sets.map((set) => set[name] ?? null));
    return { text, name, values: [[...sets.keys()], ...columns, ...constants] };
  };
}

/** Writes values as literals, so that several statements can be one message. */
class LiteralQueryCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown) {
    this.append(value === null || value === undefined ? 'null' : pg.escapeLiteral(String(value)));
  }
}

class LiteralDialect extends PostgresDialect {
  override createQueryCompiler() {
    return new LiteralQueryCompiler();
  }
}

/** The text of a query with its values. */
export const textOf = ({ query, values }: QueryRun): string =>
  query.compile(new LiteralDialect(config), (name) => sql<never>`${values[name]}`).sql;
