import { setImmediate } from 'node:timers/promises';
import { NewPet } from '@petstore/contract';
import { temporaryDatabase } from '@petstore/test-support/databases/databases';
import { type Engine, engines } from '@petstore/test-support/databases/engines';
import { temporaryFolder } from '@petstore/test-support/files';
import BetterSqlite3 from 'better-sqlite3';
import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { addPets, insertPet } from '#support/add-pets';
import { runSql } from '#support/sql';
import { readConfig } from '../../src/config.ts';
import { SqliteDatabase } from '../../src/database/sqlite/database.ts';
import { DurableMark } from '../../src/database/sqlite/files/durable-mark.ts';
import { FileWatch } from '../../src/database/sqlite/files/file-watch.ts';
import { LogSync } from '../../src/database/sqlite/files/log-sync.ts';
import { openDatabase } from '../../src/open-database.ts';
import { createPets } from '../../src/pets/create-pets.ts';
import { findPet, listPets } from '../../src/pets/repository.ts';
import { schema } from '../../src/schema.ts';
import { query as createQuery } from '../../src/tables.ts';

const BEYOND_DOUBLES = 9007199254740993n;

const namesFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => `pet ${first + index}`);

/** A database with pets of ascending ids. */
async function openWithPets(engine: Engine, names: readonly string[]) {
  const temporary = await temporaryDatabase(engine);
  const database = await openDatabase(readConfig({ DATABASE_URL: temporary.url }));
  const pets = names.map((name, index) => ({
    name,
    categoryId: index,
    ...(index % 3 === 0 && { status: 'sold' as const }),
  }));
  const added = await addPets(database, pets);
  return {
    url: temporary.url,
    database,
    added,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await temporary[Symbol.asyncDispose]();
    },
  };
}

describe.each(engines)('over %s', (engine) => {
  test('a database that is closed twice at a time is closed once', async () => {
    await using opened = await openWithPets(engine, []);
    const { database } = opened;
    const close = () => database[Symbol.asyncDispose]();
    await expect(Promise.all([close(), close()])).resolves.toEqual([undefined, undefined]);
  });

  test('a read during a transaction sees none of its rows until they are committed', async () => {
    await using opened = await openWithPets(engine, []);
    const { database } = opened;
    const { promise: inserted, resolve: tellInserted } = Promise.withResolvers<void>();
    const { promise: observed, resolve: tellObserved } = Promise.withResolvers<void>();
    const transaction = database.transact(async (transaction) => {
      await insertPet(transaction, { name: 'uncommitted', categoryId: 1 });
      tellInserted();
      await observed;
      throw new Error('undone');
    });
    await inserted;
    const reads = Promise.all([listPets(database, { limit: 1 }), findPet(database, 1)]);
    tellObserved();
    await expect(transaction).rejects.toThrow('undone');
    const [page, pet] = await reads;
    expect({ page, pet }).toEqual({ page: [], pet: undefined });
  });

  test('transactions that overlap do not mix', async () => {
    await using opened = await openWithPets(engine, []);
    const { database } = opened;
    const insert = (name: string, fails: boolean) =>
      database.transact(async (transaction) => {
        await insertPet(transaction, { name, categoryId: 1 });
        await insertPet(transaction, { name, categoryId: 2 });
        if (fails) throw new Error(name);
      });
    const results = await Promise.allSettled([insert('a', false), insert('b', true), insert('c', false)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const pets = await listPets(database, { limit: 10 });
    expect(pets.map(({ name }) => name).sort()).toEqual(['a', 'a', 'c', 'c']);
  });

  test('reads that arrive together each get their own rows, in their order', async () => {
    await using opened = await openWithPets(engine, namesFrom(1, 300));
    const { database, added } = opened;
    const ids = [...added.keys(), 300, 500];
    const pets = await Promise.all(
      ids.map((index) => findPet(database, BigInt(added[0]?.id ?? 0) + BigInt(index))),
    );
    expect(pets).toEqual(ids.map((index) => added[index]));

    const sold = added.filter(({ status }) => status === 'sold');
    const starts = [0, 17, 0, 299, 298, 150];
    const pages = await Promise.all(
      starts.flatMap((start) => [
        listPets(database, { limit: 5, after: added[start]?.id }),
        listPets(database, { limit: 7, after: added[start]?.id, status: 'sold' }),
        listPets(database, { limit: 3, status: 'pending' }),
      ]),
    );
    const soldAfter = (start: number) => sold.filter(({ id }) => id > (added[start]?.id ?? 0)).slice(0, 7);
    expect(pages).toEqual(
      starts.flatMap((start) => [added.slice(start + 1, start + 6), soldAfter(start), []]),
    );
  });

  test('every property of a pet is stored, and comes back from insert, page, lookup and replay', async () => {
    await using opened = await openWithPets(engine, []);
    const { database } = opened;
    const pet = NewPet.parse(z.globalRegistry.get(NewPet)?.example);
    const request = { pet, idempotencyKey: 'caller:key' };
    const expected = { id: 1, ...pet };
    expect(await createPets(database, [request])).toEqual([{ outcome: 'created', pet: expected }]);
    expect(await createPets(database, [request])).toEqual([{ outcome: 'replayed', pet: expected }]);
    expect(await findPet(database, 1)).toEqual(expected);
    expect(await listPets(database, { limit: 1 })).toEqual([expected]);
    expect(await listPets(database, { limit: 1, status: pet.status })).toEqual([expected]);
  });

  test('pets of one batch come back exactly and in their order, with all of int64 and any text', async () => {
    await using opened = await openWithPets(engine, []);
    const { database } = opened;
    const categories = [BEYOND_DOUBLES, -(2n ** 63n), 2n ** 63n - 1n, Number.MAX_SAFE_INTEGER, 0, -1];
    const names = ['{"a"}', '\\\'"', 'NULL', '', ' ', 'Ñandú 🦤'];
    const pets = categories.map((categoryId, index) =>
      NewPet.parse({ name: names[index] ?? '', categoryId }),
    );
    const added = await addPets(database, pets);
    expect(added).toEqual(pets.map((pet, index) => ({ id: index + 1, ...pet })));
    expect(await listPets(database, { limit: 10 })).toEqual(added);
  });
});

describe('over SQLite', () => {
  test('a read waits while another process recovers the log of one that was killed', async () => {
    await using opened = await openWithConnection();
    const { database, connection } = opened;
    let attempts = 0;
    connection.function('attempt', () => {
      attempts += 1;
      if (attempts < 3) throw new BetterSqlite3.SqliteError('database is locked', 'SQLITE_BUSY_RECOVERY');
      return 'read';
    });
    expect(await runSql(database, 'select attempt() as attempt')).toEqual([{ attempt: 'read' }]);
    expect(attempts).toBe(3);
  });

  test('a query is compiled and prepared once', async () => {
    await using opened = await openWithConnection();
    const { database, connection } = opened;
    const prepare = vi.spyOn(connection, 'prepare');
    const build = vi.fn(() => sql<{ one: number }>`select 1 as one`);
    const query = createQuery({}, build);
    for (let run = 0; run < 3; run += 1) expect(await database.query(query, {})).toEqual([{ one: 1 }]);
    await database.transact((transaction) => transaction.query(query, {}));
    expect({ builds: build.mock.calls.length, prepares: prepare.mock.calls.length }).toEqual({
      builds: 1,
      prepares: 1,
    });
  });

  describe('with a disk that takes its time', () => {
    const create = (database: SqliteDatabase, name: string) => addPets(database, [{ name, categoryId: 1 }]);

    /** Whether a promise is fulfilled after all that can happen without the disk has happened. */
    async function isFulfilled(promise: Promise<unknown>): Promise<boolean> {
      let isFulfilled = false;
      void promise.then(() => {
        isFulfilled = true;
      });
      await setImmediate();
      return isFulfilled;
    }

    test('a transaction is fulfilled once its commit is durable, and one sync serves all that waited', async () => {
      const disk = new Disk();
      await using opened = await openWithConnection(disk);
      const first = create(opened.database, 'first');
      await disk.begun(1);
      const others = Promise.all([create(opened.database, 'second'), create(opened.database, 'third')]);
      await vi.waitUntil(() => opened.count() === 3);
      expect(await isFulfilled(first)).toBe(false);
      disk.finish();
      await first;
      await disk.begun(2);
      expect(await isFulfilled(others)).toBe(false);
      disk.finish();
      await others;
      expect(disk.count).toBe(2);
    });

    test('a pet is shown once it is durable, and older ones at once', async () => {
      const disk = new Disk();
      await using opened = await openWithConnection(disk);
      const { database } = opened;
      disk.finishAll();
      await create(database, 'old');
      expect(await findPet(database, 1)).toMatchObject({ name: 'old' });
      disk.pause();
      const creation = create(database, 'new');
      await vi.waitUntil(() => opened.count() === 2);
      expect(await listPets(database, { limit: 1 })).toMatchObject([{ name: 'old' }]);
      const reads = Promise.all([listPets(database, { limit: 2 }), findPet(database, 2)]);
      expect(await isFulfilled(reads)).toBe(false);
      disk.finishAll();
      await creation;
      const [page, pet] = await reads;
      expect(page).toHaveLength(2);
      expect(pet).toMatchObject({ name: 'new' });
    });

    test('a read of an acknowledged pet waits for no sync, and costs none', async () => {
      const disk = Disk.withoutDelay();
      await using opened = await openWithConnection(disk);
      const { database } = opened;
      for (let id = 1; id <= 30; id += 1) {
        await create(database, `pet ${id}`);
        await findPet(database, id);
      }
      expect(disk.count).toBe(30);
      disk.pause();
      expect(await findPet(database, 30)).toMatchObject({ name: 'pet 30' });
    });

    test('a restore during a sync makes none of its pets pass for durable', async () => {
      const disk = Disk.withoutDelay();
      await using opened = await openWithConnection(disk);
      const { database } = opened;
      const other = new BetterSqlite3(opened.connection.name);
      other.exec("insert into pets (name, category_id) values ('before', 1)");
      disk.pause();
      const read = findPet(database, 1);
      await disk.begun(1);
      other.exec("create table t (a); update pets set name = 'restored'");
      other.close();
      await database.version();
      disk.finish();
      await read;

      const restored = findPet(database, 1);

      expect(await isFulfilled(restored)).toBe(false);
      disk.finishAll();
      expect(await restored).toMatchObject({ name: 'restored' });
    });

    test('while the disk does not respond creations get an error, and pets that are durable are shown', async () => {
      const disk = Disk.withoutDelay();
      await using opened = await openWithConnection(disk, 50);
      const { database } = opened;
      await create(database, 'old');
      disk.pause();

      const errors = await Promise.all(
        [create(database, 'waiting'), create(database, 'behind it')].map((creation) =>
          creation.catch((thrown: unknown) => thrown),
        ),
      );

      expect(errors.map(String)).toEqual(
        errors.map(() => expect.stringMatching(/petstore\.db-wal .* the disk: it does not respond$/)),
      );
      expect(errors.map((error) => database.classify(error))).toEqual(['unavailable', 'unavailable']);
      const committed = opened.count();
      await expect(create(database, 'refused')).rejects.toThrow('it does not respond');
      expect(opened.count()).toBe(committed);
      expect(await findPet(database, 1)).toMatchObject({ name: 'old' });
      await expect(findPet(database, 2)).rejects.toThrow('it does not respond');
      disk.finishAll();
      await expect.poll(() => create(database, 'later')).toMatchObject([{ name: 'later' }]);
    });

    test('nothing is served after the disk refused a commit', async () => {
      const disk = new Disk();
      await using opened = await openWithConnection(disk);
      const { database } = opened;
      const creation = create(database, 'lost');
      await disk.begun(1);
      disk.fail(new Error('EIO: i/o error, fdatasync'));
      const error = await creation.catch((thrown: unknown) => thrown);
      expect(String(error)).toMatch(/petstore\.db-wal could not be written to the disk/);
      expect(database.classify(error)).toBe('unavailable');
      await expect(database.probe()).rejects.toBe(error);
      await expect(findPet(database, 1)).rejects.toBe(error);
      await expect(create(database, 'later')).rejects.toBe(error);
    });
  });

  async function openWithConnection(disk = Disk.withoutDelay(), syncLimitMs?: number) {
    const folder = await temporaryFolder();
    const file = folder.file('petstore.db');
    await (await openDatabase(readConfig({ DATABASE_URL: `sqlite:${file}` })))[Symbol.asyncDispose]();
    const connection = new BetterSqlite3(file);
    connection.pragma('journal_mode = WAL');
    const count = connection.prepare('select count(*) from pets').pluck();
    count.get();
    const database = new SqliteDatabase(connection, schema, {
      files: new FileWatch([file]),
      log: new LogSync(`${file}-wal`, () => disk.sync(), syncLimitMs),
      mark: new DurableMark(`${file}-durable`),
    });
    return {
      connection,
      database,
      /** Committed pets, durable or not. */
      count: () => count.get(),
      async [Symbol.asyncDispose]() {
        disk.finishAll();
        await database[Symbol.asyncDispose]();
        await folder[Symbol.asyncDispose]();
      },
    };
  }
});

/** Stands in for the disk: a test says when a sync ends. */
class Disk {
  /** Syncs so far. */
  count = 0;
  #isPaused = true;
  #running: PromiseWithResolvers<void> | undefined;

  static withoutDelay(): Disk {
    const disk = new Disk();
    disk.finishAll();
    return disk;
  }

  async sync(): Promise<void> {
    this.count += 1;
    if (!this.#isPaused) return;
    this.#running = Promise.withResolvers();
    await this.#running.promise;
  }

  async begun(count: number): Promise<void> {
    await vi.waitUntil(() => this.count === count);
  }

  finish(): void {
    this.#running?.resolve();
  }

  fail(error: Error): void {
    this.#running?.reject(error);
  }

  pause(): void {
    this.#isPaused = true;
  }

  finishAll(): void {
    this.#isPaused = false;
    this.finish();
  }
}

describe.runIf(engines.includes('postgres'))('over PostgreSQL', () => {
  test('reads that arrive together are one statement, which each connection keeps prepared', async () => {
    await using temporary = await temporaryDatabase('postgres');
    const environment = { DATABASE_URL: temporary.url, DATABASE_POOL_SIZE: '1' };
    await using database = await openDatabase(readConfig(environment));
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(namesFrom(1, 50).map((_, index) => findPet(database, index)));
    }
    const prepared = await runSql(
      database,
      `select generic_plans + custom_plans as runs from pg_prepared_statements where statement like '%"id" = "input"."id"%' and statement not like '%pg_prepared_statements%'`,
    );
    expect(prepared).toEqual([{ runs: 3 }]);
  });

  test('a read that fails does not fail those that arrived with it', async () => {
    await using opened = await openWithPets('postgres', ['one']);
    const { database } = opened;
    const divide = createQuery({ by: 'int64' }, (db, $) =>
      db.selectFrom('pets').select(sql<number>`12 / ${$('by')}`.as('quotient')),
    );
    const results = await Promise.allSettled([3, 0, 4].map((by) => database.query(divide, { by })));
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([
      [{ quotient: 4 }],
      'failed',
      [{ quotient: 3 }],
    ]);
  });
});
