import BetterSqlite3 from 'better-sqlite3';
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely';
import pg from 'pg';
import { postgresSyntax } from '../../src/database/postgres/migrate.ts';
import { sqliteSyntax } from '../../src/database/sqlite/migrate.ts';
import { migrations } from '../../src/migrations/index.ts';
import { schema } from '../../src/schema.ts';

/**
 * Gives an empty database the schema of the first release.
 *
 * @param url as DATABASE_URL names it
 * @returns the names of the migrations that it lacks
 */
export async function createFirstSchema(url: string): Promise<string[]> {
  const kysely = new Kysely<unknown>({ dialect: dialectOf(url) });
  const syntax = url.startsWith('sqlite:') ? sqliteSyntax : postgresSyntax(schema.applicationId);
  const [[name, first] = ['', undefined], ...later] = Object.entries(migrations(syntax));
  await first?.up(kysely);
  await sql`create table kysely_migration (name text primary key, timestamp text not null)`.execute(kysely);
  await sql`insert into kysely_migration values (${name}, '2026-01-01T00:00:00.000Z')`.execute(kysely);
  await kysely.destroy();
  return later.map(([name]) => name);
}

function dialectOf(url: string) {
  if (!url.startsWith('sqlite:')) {
    return new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) });
  }
  const database = new BetterSqlite3(url.slice('sqlite:'.length));
  database.pragma(`application_id = ${schema.applicationId}`);
  return new SqliteDialect({ database });
}
