import BetterSqlite3 from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import type { Tables } from '../src/database/schema.ts';
import { PreparingSqliteDialect } from '../src/database/sqlite-dialect.ts';
import { findPet } from '../src/pets/repository.ts';
import { startApp } from './support/app.ts';
import { engines } from './support/engines.ts';

const OTHERS = 1_000;

test('SQLite keeps a statement prepared that is in use, however many others come and go', async () => {
  const connection = new BetterSqlite3(':memory:');
  const prepare = vi.spyOn(connection, 'prepare');
  const kysely = new Kysely<Tables>({ dialect: new PreparingSqliteDialect(connection) });
  for (let other = 0; other < OTHERS; other += 1) {
    await sql`select 'in use'`.execute(kysely);
    await sql.raw(`select ${other}`).execute(kysely);
  }
  expect(prepare.mock.calls.filter(([text]) => text === "select 'in use'")).toHaveLength(1);
  await sql.raw('select 0').execute(kysely);
  expect(prepare.mock.calls.filter(([text]) => text === 'select 0')).toHaveLength(2);
  await kysely.destroy();
});

test.runIf(engines.includes('postgres'))(
  'PostgreSQL prepares the queries of every request, however many others came before, and some of those',
  async () => {
    await using app = await startApp({ DATABASE_POOL_SIZE: '1' }, 'postgres');
    const { database } = app.context;
    for (let other = 0; other < OTHERS; other += 1) {
      await database.read((db) => sql.raw(`select ${other}`).execute(db));
    }
    await database.read((db) => findPet(db, 1));
    await database.version();
    const { rows } = await database.read((db) =>
      sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db),
    );
    const statements = rows.map(({ statement }) => statement);
    expect(statements).toContainEqual(expect.stringContaining('from "pets" where "id" = $1'));
    expect(statements).toContainEqual(expect.stringContaining('pg_current_snapshot'));
    expect(statements.length).toBeGreaterThan(100);
    expect(statements.length).toBeLessThan(300);
  },
);
