import type { RawBuilder } from 'kysely';

export interface EngineSyntax {
  /**
   * Selects the columns of all tables that a statement finds by their names. A required column has neither a default nor
   * a null.
   */
  columns: RawBuilder<{ table: string; name: string; isRequired: unknown }>;
  /** An int64 primary key that the engine assigns. */
  id: RawBuilder<unknown>;
  int64: RawBuilder<unknown>;
  /** 128 bits. */
  uuid: RawBuilder<unknown>;
  /** Clause after the closing parenthesis of a CREATE TABLE. */
  tableEnd: RawBuilder<unknown>;
  /** The same clause for a table with short rows and a primary key other than an id. */
  keyedTableEnd: RawBuilder<unknown>;
}
