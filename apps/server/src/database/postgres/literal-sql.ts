import { type CompiledQuery, PostgresQueryCompiler } from 'kysely';
import pg from 'pg';

/**
 * Compiles a query again, with its values in the text: a message with parameters can have only one statement.
 * @returns `undefined` when a value has no plain literal, or the query is a text with parameters
 */
export function literalSql({ query, queryId, parameters }: CompiledQuery): string | undefined {
  if (!parameters.every(hasLiteral)) return undefined;
  const compiler = new LiteralQueryCompiler();
  const { sql } = compiler.compileQuery(query, queryId);
  return compiler.valueCount === parameters.length ? sql : undefined;
}

const hasLiteral = (value: unknown): boolean =>
  value === null || ['string', 'number', 'bigint', 'boolean'].includes(typeof value);

class LiteralQueryCompiler extends PostgresQueryCompiler {
  valueCount = 0;

  protected override appendValue(value: unknown): void {
    this.valueCount += 1;
    this.append(value === null ? 'null' : pg.escapeLiteral(String(value)));
  }
}
