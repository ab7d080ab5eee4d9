import { Pets } from '@petstore/contract';
import { engines, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { describe, expect, test } from 'vitest';
import { runSql } from '#support/sql';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/open-database.ts';
import { listPets } from '../../src/pets/repository.ts';
import { tables } from '../../src/tables.ts';

describe.each(engines)('over %s', (engine) => {
  async function openMigrated() {
    const temporary = await temporaryDatabase(engine);
    const database = await openDatabase(readConfig({ DATABASE_URL: temporary.url }));
    return {
      database,
      async [Symbol.asyncDispose]() {
        await database[Symbol.asyncDispose]();
        await temporary[Symbol.asyncDispose]();
      },
    };
  }

  test.each(Object.entries(tables))('src/migrations makes the columns of %s', async (table, columns) => {
    await using opened = await openMigrated();
    expect(await runSql(opened.database, `select ${Object.keys(columns)} from ${table}`)).toEqual([]);
  });

  test('src/migrations lets servers of older releases add pets, which have every required property', async () => {
    await using opened = await openMigrated();
    await runSql(opened.database, `insert into pets (name, category_id) values ('Ñandú', 7)`);
    const pets = await listPets(opened.database, { limit: 1 });
    expect(Pets.parse(pets)).toEqual(pets);
  });
});
