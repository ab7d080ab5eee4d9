import { hash } from 'node:crypto';
import { Kysely, PostgresDialect, PostgresQueryCompiler, SelectQueryNode, sql } from 'kysely';
import pg from 'pg';
import { int64, type Query, type QueryRun, type Values } from '../query.ts';

const config = { pool: () => Promise.reject(new Error('This dialect runs nothing')) };

const dialect = new PostgresDialect(config);

const TYPES = { int64: 'bigint', text: 'text' } as const;

/**
 * Compiles a query that reads, so that one statement runs it with many sets of values.
 * @returns a function from sets to a statement, whose rows end with the index of their set; `undefined` for a write
 */
export function compileRead({ parameters, maxRows, compile }: Query) {
  const { query } = compile(dialect, (name) => sql.ref(`input.${name}`));
  if (!SelectQueryNode.is(query)) return undefined;
  const body = { toOperationNode: () => query };
  const names = Object.keys(parameters);
  const types = [int64, ...Object.values(parameters)];
  const arrays = types.map(({ type }) => sql`${sql.val(null)}::${sql.raw(TYPES[type])}[]`);
  const columns = ['set index', ...names].map((name) => sql.ref(name));
  // The lateral join is a nested loop, which keeps the rows of a set in their order. The limit is a constant: for a
  // parameter the planner expects a tenth of the table. It may then sort a whole range instead of reading a few rows of
  // an index. A row beyond `maxRows` reveals a wrong query.
  const select = sql`
    select output.* from unnest(${sql.join(arrays)}) as input(${sql.join(columns)}) cross join lateral (
      select body.*, input."set index" from (${body}) as body
      limit ${sql.lit(Number.isFinite(maxRows) ? maxRows + 1 : null)}
    ) as output
  `;
  const compiled = select.compile(new Kysely({ dialect }));
  const { sql: text } = compiled;
  const constants = compiled.parameters.slice(arrays.length);
  // A name means the same statement in each session that a pooler shares.
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

export const textOf = ({ query, values }: QueryRun): string =>
  query.compile(new LiteralDialect(config), (name) => sql<never>`${values[name]}`).sql;
