import { initial } from './001-initial.ts';
import { keyScopes } from './002-key-scopes.ts';
import type { ColumnTypes } from './column-types.ts';
import type { SchemaMigration } from './schema-migration.ts';

/** The history of the schema, in order. A migration that has landed is never changed. */
export const migrations = (types: ColumnTypes): Record<string, SchemaMigration> => ({
  '001-initial': initial(types),
  '002-key-scopes': keyScopes(types),
});
