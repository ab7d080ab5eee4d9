import { setTimeout as sleep } from 'node:timers/promises';
import { engines } from '@petstore/test-support/databases/databases';
import { CompiledQuery, type Kysely, sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { addPets, openTemporaryDatabase, rowNamed } from '#support/database';
import type { Tables } from '../../src/database/tables.ts';

const add = (db: Kysely<Tables>, name: string) =>
  db.insertInto('pets').values(rowNamed(name)).returning('id').executeTakeFirstOrThrow();

const namesOf = async (db: Kysely<Tables>) =>
  (await db.selectFrom('pets').select('name').orderBy('id').execute()).map(({ name }) => name);

/** Makes an INSERT of the name `bad` end its transaction. */
const endTransaction = {
  sqlite: `create trigger refuse before insert on pets when new.name = 'bad' begin select raise(rollback, 'bad'); end`,
  postgres: `alter table pets add constraint refuse check (name <> 'bad')`,
};

describe.each(engines)('over %s', (engine) => {
  test('writes and transactions wait for the end of a transaction, whose rollback does not undo them', async () => {
    await using opened = await openTemporaryDatabase(engine);
    const transaction = await opened.db.startTransaction().execute();
    await add(transaction, 'rolled back');
    const others = [
      addPets(opened.database, [{ name: 'appended', categoryId: 1 }]),
      add(opened.db, 'inserted'),
      opened.db.transaction().execute((other) => add(other, 'committed')),
    ];
    expect(await Promise.race([...others, sleep(100, 'waiting')])).toBe('waiting');
    expect(await namesOf(opened.db)).toEqual([]);
    await transaction.rollback().execute();
    await Promise.all(others);
    expect((await namesOf(opened.db)).toSorted()).toEqual(['appended', 'committed', 'inserted']);
  });

  test('the commit of a transaction that the engine has rolled back is an error', async () => {
    await using opened = await openTemporaryDatabase(engine);
    await opened.run(endTransaction[engine]);
    const swallowing = opened.db.transaction().execute(async (transaction) => {
      await add(transaction, 'before');
      await add(transaction, 'bad').catch(() => {});
      await add(transaction, 'after').catch(() => {});
    });
    await expect(swallowing).rejects.toThrow(/rolled back|aborted/i);
    expect(await namesOf(opened.db)).toEqual([]);
    await add(opened.db, 'later');
    expect(await namesOf(opened.db)).toEqual(['later']);
  });

  test('a transaction whose caller does nothing for 5 s ends, and its caller gets an error', async () => {
    await using opened = await openTemporaryDatabase(engine);
    const transaction = await opened.db.startTransaction().execute();
    const start = performance.now();
    await add(transaction, 'forgotten');
    const later = () => opened.db.transaction().execute((other) => add(other, 'later'));
    await expect.poll(() => later().catch(() => undefined)).toBeDefined();
    expect(performance.now() - start).toSatisfy((ms) => ms > 4_900 && ms < 30_000);
    await expect(transaction.commit().execute()).rejects.toThrow();
    expect(await namesOf(opened.db)).toEqual(['later']);
  });

  test('a statement around the rollback of its transaction is not committed on its own, and the last of them fails', async () => {
    await using opened = await openTemporaryDatabase(engine);
    const statements: Promise<unknown>[] = [];
    // Kysely learns of a rollback some microtasks later than the engine.
    for (let microtasks = 0; microtasks < 12; microtasks += 1) {
      const rolledBack = opened.db.transaction().execute((transaction) => {
        const failing = sql`select unknown_column`.execute(transaction);
        const late = failing.catch(async () => {
          for (let count = 0; count < microtasks; count += 1) await undefined;
          await add(transaction, 'late');
        });
        statements.push(late);
        return Promise.all([failing, late]);
      });
      await expect(rolledBack).rejects.toThrow('unknown_column');
    }
    expect((await Promise.allSettled(statements)).at(-1)?.status).toBe('rejected');
    expect(await namesOf(opened.db)).toEqual([]);
  });

  test('a rollback to a savepoint undoes only what came after it', async () => {
    await using opened = await openTemporaryDatabase(engine);
    const transaction = await opened.db.startTransaction().execute();
    await add(transaction, 'kept');
    const savepoint = await transaction.savepoint('here').execute();
    await add(savepoint, 'undone');
    await savepoint.rollbackToSavepoint('here').execute();
    await transaction.commit().execute();
    expect(await namesOf(opened.db)).toEqual(['kept']);
  });

  test('raw queries and reads have parameters, an insert has an insertId as in the dialects of Kysely, and a stream fails', async () => {
    await using opened = await openTemporaryDatabase(engine);
    const { db } = opened;
    const raw = `insert into pets (name, category_id) values ('raw', ${engine === 'sqlite' ? '?' : '$1'})`;
    await db.executeQuery(CompiledQuery.raw(raw, [2n ** 62n]));
    const added = db.selectFrom('pets').select('category_id').where('name', '=', 'raw');
    expect(await added.execute()).toEqual([{ category_id: 2n ** 62n }]);
    const { insertId } = await db.insertInto('pets').values(rowNamed('last')).executeTakeFirstOrThrow();
    expect(insertId).toBe(engine === 'sqlite' ? 2n : undefined);
    await expect(db.selectFrom('pets').selectAll().stream().next()).rejects.toThrow('cannot be streamed');
  });
});

test.runIf(engines.includes('postgres'))('over PostgreSQL an aborted transaction ends if idle', async () => {
  await using opened = await openTemporaryDatabase('postgres');
  const transaction = await opened.db.startTransaction().execute();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const savepoint = await transaction.savepoint('here').execute();
  const fail = () => expect(sql`select from nowhere`.execute(transaction)).rejects.toThrow('nowhere');
  await fail();
  await savepoint.rollbackToSavepoint('here').execute();
  await savepoint.releaseSavepoint('here').execute();
  vi.advanceTimersByTime(5_000); // Ends nothing: a later statement has stopped the timer of the failure.
  // Outside of a savepoint, a failure also undoes PostgreSQL's own idle timeout. Only the new timer is left.
  await fail();
  vi.advanceTimersByTime(5_000);
  await expect(add(opened.db, 'later')).resolves.toBeDefined();
});
