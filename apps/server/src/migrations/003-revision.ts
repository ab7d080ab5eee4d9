import type { EngineSyntax } from '../database/migrations/engine-syntax.ts';
import type { SchemaMigration } from '../database/migrations/schema-migration.ts';

/** Cached responses follow changes that an operator makes by SQL. */
export const revision = ({ trackChanges }: EngineSyntax): SchemaMigration => ({
  // Older releases only add pets, which moves nothing.
  servesSince: '001-initial',

  async up(db) {
    for (const statement of trackChanges('pets')) await statement.execute(db);
  },
});
