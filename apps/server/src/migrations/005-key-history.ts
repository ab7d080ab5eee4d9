import type { EngineSyntax } from '../database/migrations/engine-syntax.ts';
import type { SchemaMigration } from '../database/migrations/schema-migration.ts';

/** A key has a rate limit of its own, and operators see who has issued and who has revoked it. */
export const keyHistory = ({ int64 }: EngineSyntax): SchemaMigration => ({
  // Older releases limit every key alike, and say nothing of operators.
  servesSince: '001-initial',

  async up(db) {
    for (const column of ['rate_limit', 'created_by', 'revoked_by']) {
      await db.schema.alterTable('api_keys').addColumn(column, 'text').execute();
    }
    await db.schema.alterTable('api_keys').addColumn('revocation_at', int64).execute();
  },
});
