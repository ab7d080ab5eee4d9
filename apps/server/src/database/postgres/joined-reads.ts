import { hash } from 'node:crypto';
import { PostgresQueryCompiler, type RootOperationNode } from 'kysely';
import type pg from 'pg';
import { Batcher } from '../batcher.ts';
import { isCausedByWork } from '../database.ts';
import type { Result } from '../driver.ts';
import { MAX_PREPARED_ROWS, Placeholder, type PreparedQuery } from '../prepared.ts';
import { classify } from './errors.ts';

type Values = PreparedQuery['values'];

/**
 * Creates the function that runs prepared queries. Runs of a query that arrive together share a statement: otherwise a
 * single pet takes 2.06 times the processor time, and a list 1.51 times.
 * @param maxWaitMs how long a read may wait for its statement
 */
export function createJoinedReads(
  execute: (statement: pg.QueryConfig) => Promise<Result>,
  maxWaitMs?: number,
): (query: PreparedQuery) => Promise<Result> {
  // The key is the node of the query, which all its runs share.
  const batchers = new WeakMap<RootOperationNode, Batcher<Values, Result>>();

  function createBatcher(query: PreparedQuery) {
    const statementOf = joinSets(query);
    const read = async (sets: readonly Values[]) => {
      const { columns, rows } = await execute(statementOf(sets));
      // The last column is the index of the set of values.
      const rowsBySet = Map.groupBy(rows, (row) => Number(row.at(-1)));
      return sets.map((_, index) => ({ columns: columns.slice(0, -1), rows: rowsBySet.get(index) ?? [] }));
    };
    return new Batcher<Values, Result>(read, {
      rowsOf: ({ limit: maxRows = 1 }) => Number(maxRows),
      maxConcurrent: 2,
      maxWaitMs,
      isCausedByItem: (error) => isCausedByWork({ classify }, error),
    });
  }

  return (query) => {
    let batcher = batchers.get(query.query);
    if (batcher === undefined) {
      batcher = createBatcher(query);
      batchers.set(query.query, batcher);
    }
    return batcher.add(query.values);
  };
}

/**
 * Compiles a query so that one statement runs it with many sets of values.
 * @returns a function from sets to a statement, whose rows end with the index of their set
 */
function joinSets({ query, queryId, values }: PreparedQuery): (sets: readonly Values[]) => pg.QueryConfig {
  const names = Object.keys(values);
  const types = names.map((name) => (typeof values[name] === 'string' ? 'text' : 'bigint'));
  const arrays = ['bigint', ...types].map((type, index) => `$${index + 1}::${type}[]`);
  // No placeholder has a name with a space.
  const columns = ['set index', ...names].map((name) => `"${name}"`);
  const { sql, parameters: constants } = new JoiningQueryCompiler(arrays.length).compileQuery(query, queryId);
  // The lateral join is a nested loop, which keeps the order of the rows of a set. The planner does not know the limit
  // in `sql`, a column of the sets. It would expect a tenth of the table, and might sort the table. With the constant
  // limit around `sql`, it uses an index. That limit is one above the maximum: `prepared` fails instead of losing rows.
  const text = `
    select output.* from unnest(${arrays}) as input(${columns}) cross join lateral (
      select body.*, input."set index" from (${sql}) as body limit ${MAX_PREPARED_ROWS + 1}
    ) as output`;
  // A hash: in all sessions that a pooler shares, a name must mean the same statement.
  const name = hash('sha256', text, 'base64url');
  return (sets) => {
    const inputs = names.map((input) => sets.map((set) => set[input]));
    return { text, name, values: [[...sets.keys()], ...inputs, ...constants] };
  };
}

/** Writes a column of the sets for each placeholder. The parameters of other values follow the arrays. */
class JoiningQueryCompiler extends PostgresQueryCompiler {
  readonly #arrayCount: number;

  constructor(arrayCount: number) {
    super();
    this.#arrayCount = arrayCount;
  }

  protected override appendValue(value: unknown): void {
    if (value instanceof Placeholder) this.append(`input."${value.name}"`);
    else super.appendValue(value);
  }

  protected override getCurrentParameterPlaceholder(): string {
    return `$${this.numParameters + this.#arrayCount}`;
  }
}
