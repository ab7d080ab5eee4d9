import { type Dialect, Kysely, sql } from 'kysely';
import type { ColumnTypes } from '../../src/database/migrations/column-types.ts';
import { migrations } from '../../src/database/migrations/index.ts';

/**
 * Gives an empty database the schema of the first release, and closes it.
 *
 * @returns the names of the migrations that it lacks
 */
export async function createFirstSchema(dialect: Dialect, types: ColumnTypes): Promise<string[]> {
  const kysely = new Kysely<unknown>({ dialect });
  const [[name, first] = ['', undefined], ...later] = Object.entries(migrations(types));
  await first?.up(kysely);
  await sql`create table kysely_migration (name text primary key, timestamp text not null)`.execute(kysely);
  await sql`insert into kysely_migration values (${name}, '2026-01-01T00:00:00.000Z')`.execute(kysely);
  await kysely.destroy();
  return later.map(([name]) => name);
}
