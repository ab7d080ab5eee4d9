import type { Table } from './copy-plan.ts';

/** Rows that are read and written at a time. */
export const BATCH_SIZE = 5_000;

/**
 * The values of a row in the order of its columns, as text: the same for both engines, and exact. A UUID is 32 digits,
 * without hyphens.
 */
export type Row = (string | null)[];

export type Role = 'source' | 'target';

/**
 * A database that is copied from or into, in a transaction in which nothing else changes its tables. Disposing of it
 * undoes what was not committed.
 */
export interface CopySide extends AsyncDisposable {
  /** Runs a statement that both engines understand. */
  query(text: string): Promise<Row[]>;
  /** Reads all rows of a table by ascending keys; text is in the order of its bytes in UTF-8. */
  read(table: Table): AsyncIterable<Row[]>;
  insert(table: Table, rows: readonly Row[]): Promise<void>;
  /** Makes what was inserted durable; ids go on after the last one. */
  commit(): Promise<void>;
}

/** Names as a statement lists them. */
export const list = (names: readonly { readonly name: string }[]) =>
  names.map(({ name }) => `"${name}"`).join(', ');
