import type { RawBuilder } from 'kysely';

export interface EngineSyntax {
  /** Selects the columns of all tables. A required column is not null and has no default. */
  columns: RawBuilder<{ table: string; name: string; isRequired: unknown }>;
  /** An int64 primary key that the engine assigns. */
  id: RawBuilder<unknown>;
  int64: RawBuilder<unknown>;
  /** The type of a 128-bit value. */
  uuid: RawBuilder<unknown>;
  /** Ends a CREATE TABLE. */
  tableEnd: RawBuilder<unknown>;
  /** Ends the CREATE TABLE of a table with short rows and a primary key other than an id. */
  keyedTableEnd: RawBuilder<unknown>;
}
