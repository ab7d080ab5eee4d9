import type { EngineSyntax } from '@petstore/database/migrations/engine-syntax';
import type { SchemaMigration } from '@petstore/database/migrations/schema-migration';
import { initial } from './001-initial.ts';
import { keyScopes } from './002-key-scopes.ts';
import { revision } from './003-revision.ts';
import { petOrigin } from './004-pet-origin.ts';
import { keyHistory } from './005-key-history.ts';
import { compactRecords } from './006-compact-records.ts';

/** The history of the schema, in order. A migration that has landed is never changed. */
export const migrations = (syntax: EngineSyntax): Record<string, SchemaMigration> => ({
  '001-initial': initial(syntax),
  '002-key-scopes': keyScopes(syntax),
  '003-revision': revision(syntax),
  '004-pet-origin': petOrigin(syntax),
  '005-key-history': keyHistory(syntax),
  '006-compact-records': compactRecords(syntax),
});
