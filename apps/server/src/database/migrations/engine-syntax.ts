import type { RawBuilder } from 'kysely';

/** What the engines write differently in migrations. */
export interface EngineSyntax {
  /** Selects the names of the tables. */
  tables: RawBuilder<{ name: string }>;
  /** An int64 primary key that the engine assigns. */
  id: RawBuilder<unknown>;
  int64: RawBuilder<unknown>;
  /** 128 bits. */
  uuid: RawBuilder<unknown>;
  /** Clause after the closing parenthesis of a CREATE TABLE. */
  tableEnd: RawBuilder<unknown>;
  /** That clause for a table with short rows and a primary key that is no id. */
  keyedTableEnd: RawBuilder<unknown>;
}
