import type { EngineSyntax } from '../database/migrations/engine-syntax.ts';
import type { SchemaMigration } from '../database/migrations/schema-migration.ts';
import { initial } from './001-initial.ts';
import { keyScopes } from './002-key-scopes.ts';
import { revision } from './003-revision.ts';
import { petOrigin } from './004-pet-origin.ts';
import { keyHistory } from './005-key-history.ts';
import { compactRecords } from './006-compact-records.ts';

/** The history of the schema, in order. A migration that has landed is never changed. */
const history: Record<string, (syntax: EngineSyntax) => SchemaMigration> = {
  '001-initial': initial,
  '002-key-scopes': keyScopes,
  '003-revision': revision,
  '004-pet-origin': petOrigin,
  '005-key-history': keyHistory,
  '006-compact-records': compactRecords,
};

/** The migrations by their names, in the syntax of an engine. */
export const migrations = (syntax: EngineSyntax): Record<string, SchemaMigration> =>
  Object.fromEntries(Object.entries(history).map(([name, create]) => [name, create(syntax)]));
