import type { RawBuilder } from 'kysely';

/** What the engines write differently in a CREATE TABLE. */
export interface ColumnTypes {
  /** An int64 primary key that the engine assigns. */
  id: RawBuilder<unknown>;
  int64: RawBuilder<unknown>;
  /** Clause after the closing parenthesis of a CREATE TABLE. */
  tableEnd: RawBuilder<unknown>;
}
