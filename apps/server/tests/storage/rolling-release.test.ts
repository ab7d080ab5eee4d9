import { engines, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { expectExactlyOnce, readPetsByName } from '@petstore/test-support/pets-by-name';
import { chooseSeed, randomIntegers } from '@petstore/test-support/seed';
import { runCli, startServer } from '@petstore/test-support/servers/server-process';
import { startWriters } from '@petstore/test-support/writers';
import { describe, expect, test } from 'vitest';
import { addPets, openRelease, runSql } from '#support/database';
import { migrations } from '../../src/database/migrations/index.ts';
import type { Migrations } from '../../src/database/migrator.ts';
import { listPets } from '../../src/pets/repository.ts';

/** The migrations of a later release. The last one adds a nullable column and an index, which this release ignores. */
const next: Migrations = {
  ...migrations,
  '002-nickname': {
    async up(db) {
      await db.schema.alterTable('pets').addColumn('nickname', 'text').execute();
      await db.schema.createIndex('pets_nickname').on('pets').column('nickname').execute();
    },
  },
};

describe.each(engines)('over %s', (engine) => {
  test('under load, a later release serves beside this release, and this release then starts again', async () => {
    await using temporary = await temporaryDatabase(engine);
    const environment = { DATABASE_URL: temporary.url };
    await using before = await startServer(environment, { log: 'silent' });
    const random = randomIntegers(chooseSeed('rolling release'));
    const writers = [startWriters(before.origin, { count: 4, random, name: 'before' })];
    const acknowledged = () =>
      writers.flatMap(({ creations }) => creations.filter(({ ids }) => ids.length > 0));
    await expect.poll(() => acknowledged().length).toBeGreaterThan(20);

    for (const access of ['create', 'expect'] as const) {
      await expect(openRelease(engine, temporary.url, { migrations: next, access })).rejects.toThrow(
        /older release and lacks 002-nickname: petstore migrate/,
      );
    }
    await using after = await openRelease(engine, temporary.url, { migrations: next });
    await runSql(after, `insert into pets (name, category_id, nickname) values ('new', 1, 'n')`);
    const nicknames = await runSql(after, 'select nickname from pets where nickname is not null');
    expect(nicknames).toEqual([{ nickname: 'n' }]);
    const [added] = await addPets(after, [{ name: 'also new', categoryId: 1 }]);
    const count = acknowledged().length;
    await expect.poll(() => acknowledged().length).toBeGreaterThan(count + 20);

    // A rollback: this release starts on the schema of the later one, and its commands work there.
    await using again = await startServer(environment, { log: 'silent' });
    writers.push(startWriters(again.origin, { count: 4, random, name: 'again' }));
    await expect.poll(() => writers[1]?.creations.length).toBeGreaterThan(20);
    for (const command of [['migrate'], ['keys', 'create', '--name', 'shop'], ['keys', 'list']]) {
      expect(await runCli(command, environment)).toMatchObject({ code: 0, stderr: '' });
    }
    await Promise.all(writers.map((writer) => writer.end()));

    const petsByName = await readPetsByName(again.baseUrl);
    expect(petsByName.get('also new')).toEqual([added?.id]);
    expect(await listPets(after.db, { limit: 1 })).toHaveLength(1);
    for (const name of ['new', 'also new']) expect(petsByName.delete(name)).toBe(true);
    expectExactlyOnce(
      petsByName,
      writers.flatMap(({ creations }) => creations),
    );
  });
});
