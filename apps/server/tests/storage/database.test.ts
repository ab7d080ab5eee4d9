import { type Engine, engines } from '@petstore/test-support/databases/databases';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { addPets, openTemporaryDatabase, rowNamed, runSql } from '#support/database';
import type { Database } from '../../src/database/database.ts';
import { type Placeholders, prepared } from '../../src/database/prepared.ts';
import { findPet, listPets } from '../../src/pets/repository.ts';
import { readConfig } from '../../src/process/config.ts';
import { createDatabase, withOperatorErrors } from '../../src/service/create-database.ts';

/** Opens a database with pets, whose ids begin at 1, and their category ids at 0. Every third pet is sold. */
async function openWithPets(engine: Engine, count: number) {
  const opened = await openTemporaryDatabase(engine);
  const pets = Array.from({ length: count }, (_, index) => ({
    name: `pet ${index}`,
    categoryId: index,
    ...(index % 3 === 0 && { status: 'sold' as const }),
  }));
  return { ...opened, added: await addPets(opened.database, pets) };
}

describe.each(engines)('over %s', (engine) => {
  test('a database that is not open yet is unavailable, even if its tables exist', async () => {
    await using opened = await openTemporaryDatabase(engine);
    await using other = await createDatabase(readConfig({ DATABASE_URL: opened.url }));
    expect(await findPet(other.db, 1).catch(other.classify)).toBe('unavailable');
  });

  test('an error of Node.js is a bug, not a fault of the database', async () => {
    await using opened = await openTemporaryDatabase(engine);
    const parse = async () => new URL('without a scheme');
    await expect(withOperatorErrors(opened.database, parse())).rejects.toThrow(TypeError);
  });

  test('a prepared query that returns more than 500 rows fails', async () => {
    await using opened = await openWithPets(engine, 501);
    const all = prepared((db, { least }: Placeholders<{ least: number }>) =>
      db.selectFrom('pets').select('id').where('category_id', '>=', least),
    );
    await expect(all(opened.db, { least: 0 })).rejects.toThrow('more than 500 rows');
    expect(await all(opened.db, { least: 1 })).toHaveLength(500);
  });

  test('simultaneous reads each get their own rows, in order', async () => {
    await using opened = await openWithPets(engine, 300);
    const { database, added } = opened;
    const ids = [...added.map(({ id }) => id), 301, 500]; // There is no pet 301 or 500.
    const pets = await Promise.all(ids.map((id) => findPet(database.db, id)));
    expect(pets).toEqual([...added, undefined, undefined]);
    const sold = added.filter(({ status }) => status === 'sold');
    const starts = [0, 17, 0, 300, 299, 150];
    const pages = starts.flatMap((after) => [
      listPets(database.db, { limit: 5, after }),
      listPets(database.db, { limit: 7, after, status: 'sold' }),
      listPets(database.db, { limit: 3, status: 'pending' }),
    ]);
    const soldAfter = (start: number) => sold.filter(({ id }) => id > start).slice(0, 7);
    const expected = starts.flatMap((start) => [added.slice(start, start + 5), soldAfter(start), []]);
    expect(await Promise.all(pages)).toEqual(expected);
  });
});

describe('over SQLite', () => {
  test('the connection that writes is set to wait at each commit until the disk has it, and to need no folder for temporary files', async () => {
    await using opened = await openTemporaryDatabase('sqlite');
    // 2 is SQLite's number of FULL, and of MEMORY. Kysely's raw queries run on the connection that writes.
    expect(await runSql(opened.database, 'pragma synchronous')).toEqual([{ synchronous: 2 }]);
    expect(await runSql(opened.database, 'pragma temp_store')).toEqual([{ temp_store: 2 }]);
  });

  test('a write that has begun when the database closes is completed', async () => {
    await using opened = await openTemporaryDatabase('sqlite');
    const adding = opened.database.appendPets([{ row: rowNamed('a') }]);
    await opened.database[Symbol.asyncDispose]();
    expect(await adding).toMatchObject([{ isAdded: true, id: 1 }]);
  });
});

/** Counts the runs of the prepared statement that contains a text. */
const countRuns = (database: Database, text: string) => {
  const runs = `select generic_plans + custom_plans as runs from pg_prepared_statements
    where statement like '%${text}%' and statement not like '%pg_prepared_statements%'`;
  return runSql(database, runs);
};

describe.runIf(engines.includes('postgres'))('over PostgreSQL', () => {
  test('simultaneous reads share a statement of 400 rows at most, which each connection keeps prepared', async () => {
    await using opened = await openTemporaryDatabase('postgres', { DATABASE_POOL_SIZE: '1' });
    const { database } = opened;
    for (let round = 0; round < 3; round += 1)
      await Promise.all(Array.from({ length: 50 }, (_, id) => findPet(database.db, id)));
    expect(await countRuns(database, '"id" = input."id"')).toEqual([{ runs: 3 }]);
    // Four pages of 100 fill a statement, so eight pages take two.
    await Promise.all(Array.from({ length: 8 }, () => listPets(database.db, { limit: 100 })));
    expect(await countRuns(database, '"id" >= input."from"')).toEqual([{ runs: 2 }]);
  });

  test('a prepared read goes on after the type of a column has changed', async () => {
    await using opened = await openTemporaryDatabase('postgres', { DATABASE_POOL_SIZE: '1' });
    const { database } = opened;
    const [pet] = await addPets(database, [{ name: 'a', categoryId: 1 }]);
    for (const type of ['text', 'varchar', 'text']) {
      await opened.run(`alter table pets alter column name type ${type}`);
      expect(await findPet(database.db, pet?.id ?? 0)).toEqual(pet);
    }
  });

  test('a failed read does not fail the reads that share its statement', async () => {
    await using opened = await openWithPets('postgres', 1);
    const divide = prepared((db, { by }: Placeholders<{ by: number }>) =>
      db.selectFrom('pets').select(sql<number>`12 / ${by}`.as('quotient')),
    );
    const quotients = [3, 0, 4].map((by) => divide(opened.db, { by }).catch(() => 'failed'));
    expect(await Promise.all(quotients)).toEqual([[{ quotient: 4 }], 'failed', [{ quotient: 3 }]]);
  });
});
