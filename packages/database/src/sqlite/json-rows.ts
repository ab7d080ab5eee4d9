import type { Values } from '../query.ts';

/** Rows of values as one JSON text, which a statement reads with `json_each`. */
export const toJson = (rows: readonly (readonly Values[string][])[]) =>
  `[${rows.map((row) => `[${row.map(jsonOf).join()}]`).join()}]`;

/** JSON has integers of any size; `JSON.stringify` takes no bigint. */
const jsonOf = (value: Values[string]) =>
  typeof value === 'bigint' ? String(value) : JSON.stringify(value ?? null);
