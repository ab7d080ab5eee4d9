import { normalizeInteger } from '@petstore/contract';

/** The result of a statement, as an engine returns it. */
export interface Result {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** The number of rows that a statement has added, changed or deleted. */
  readonly affectedRows?: bigint | undefined;
}

/** Makes objects of the rows. Kysely has inferred `Row` from the tables and the statement. Integers stay exact. */
export function toRows<Row>(result: Result): Row[];
export function toRows({ columns, rows }: Result) {
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    columns.forEach((column, index) => {
      const value = values[index];
      row[column] = typeof value === 'bigint' ? normalizeInteger(value) : value;
    });
    return row;
  });
}
