import { engines } from '@petstore/test-support/engines';
import BetterSqlite3 from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { prepareRows } from '../src/database/prepared.ts';
import type { Tables } from '../src/database/schema.ts';
import { PreparingSqliteDialect } from '../src/database/sqlite/dialect.ts';
import { findPet, insertPets } from '../src/pets/repository.ts';
import { startApp } from './support/app.ts';

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
    await findPet(database, 1);
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

describe.each(engines)('over %s', (engine) => {
  test('a query of many rows is built once for each number of them, whatever transaction it runs in', async () => {
    await using app = await startApp({}, engine);
    const { transact } = app.context.database;
    const names = Array.from({ length: 200 }, (_, number) => ({ name: `Animal ${number}` }));
    const pets = names.map(({ name }) => ({ name, categoryId: 1 }));
    await transact((db) => insertPets(db, pets));
    const sizes: number[] = [];
    const select = prepareRows<{ name: string }, { name: string }>((db, rows) => {
      sizes.push(rows.length);
      const wanted = rows.map(($) => $('name'));
      return db.selectFrom('pets').select('name').where('name', 'in', wanted).orderBy('id');
    });
    for (const [first, size] of [2, 1, 2, 1, 190, 0].entries()) {
      const wanted = names.slice(first, first + size);
      expect(await transact((db) => select(db, wanted))).toEqual(wanted);
    }
    expect(sizes).toEqual([2, 1, 190]);
  });
});
