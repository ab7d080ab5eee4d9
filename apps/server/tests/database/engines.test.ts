import { hash } from 'node:crypto';
import { temporaryDatabase } from '@petstore/test-support/databases/databases';
import { type Engine, engines } from '@petstore/test-support/databases/engines';
import type { Generated } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { indexRange } from '../../src/database/index-range.ts';
import type { Int64 } from '../../src/database/int64.ts';
import { openPostgres } from '../../src/database/postgres/open.ts';
import { createQueries, type Query, type Values } from '../../src/database/query.ts';
import type { Schema } from '../../src/database/schema.ts';
import { openSqlite } from '../../src/database/sqlite/open.ts';

/** A service that is no pet store: it keeps the readings of sensors. */
interface Tables {
  readings: { id: Generated<Int64>; sensor: string; value: Int64 | null };
}

const schema: Schema = {
  name: 'weather',
  applicationId: 0x57454154,
  migrations: ({ id, int64, uuid, tableEnd, keyedTableEnd }) => ({
    '001-readings': {
      async up(db) {
        await db.schema
          .createTable('readings')
          .addColumn('id', id)
          .addColumn('sensor', 'text', (column) => column.notNull())
          .addColumn('value', int64)
          .modifyEnd(tableEnd)
          .execute();
        await db.schema.createIndex('readings_sensor_id').on('readings').columns(['sensor', 'id']).execute();
        await db.schema
          .createTable('transmissions')
          .addColumn('key', uuid, (column) => column.primaryKey().notNull())
          .addColumn('fingerprint', int64, (column) => column.notNull())
          .addColumn('reading_id', int64, (column) =>
            column.notNull().references('readings.id').onDelete('cascade'),
          )
          .addColumn('created_at', 'integer', (column) => column.notNull())
          .modifyEnd(keyedTableEnd)
          .execute();
      },
    },
  }),
  versionedTable: 'readings',
  columns: { sensor: 'text', value: 'int64' },
  records: { table: 'transmissions', rowId: 'reading_id' },
};

const query = createQueries<Tables>();

const insert = query({ sensor: 'text', value: 'int64' }, (db, $) =>
  db
    .insertInto('readings')
    .values({ sensor: $('sensor'), value: $('value') })
    .returningAll(),
);
const all = query({ after: 'int64' }, (db, $) =>
  db.selectFrom('readings').selectAll().where('id', '>', $('after')).orderBy('id'),
);
const page = query(
  { sensor: 'text', from: 'int64', count: 'int64' },
  (db, $) =>
    db
      .selectFrom('readings')
      .selectAll()
      .where(indexRange(db, ['readings.sensor', 'readings.id'], $('sensor'), $('from')))
      .orderBy('sensor')
      .orderBy('id')
      .limit($('count')),
  { maxRows: 50, limit: 'count' },
);
const atMostTen = query(
  { sensor: 'text' },
  (db, $) => db.selectFrom('readings').selectAll().where('sensor', '=', $('sensor')).orderBy('id'),
  { maxRows: 10 },
);
const rename = query({ from: 'text', to: 'text' }, (db, $) =>
  db
    .updateTable('readings')
    .set({ sensor: $('to') })
    .where('sensor', '=', $('from'))
    .returning('sensor'),
);
const remove = query({ above: 'int64' }, (db, $) =>
  db.deleteFrom('readings').where('value', '>', $('above')).returning('value'),
);

const digest = (text: string) => hash('sha256', text, 'base64url');

const COUNT = 1_100;
const FAR = 9_007_199_254_740_993n;

/** What a run returns, or the error that it throws. */
async function outcomeOf<Named extends Record<string, 'int64' | 'text'>, Row>(
  database: Database,
  statement: Query<Named, Row>,
  values: Values<Named>,
) {
  return database.query(statement, values).catch((error: unknown) => String(error));
}

async function open(engine: Engine) {
  const temporary = await temporaryDatabase(engine);
  const limits = { poolSize: 4, connectTimeoutMs: 10_000, statementTimeoutMs: 10_000, idleTimeoutMs: 10_000 };
  const database =
    engine === 'sqlite'
      ? await openSqlite(temporary.url.slice('sqlite:'.length), schema)
      : await openPostgres(temporary.url, schema, limits);
  return {
    database,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await temporary[Symbol.asyncDispose]();
    },
  };
}

/** Runs each kind of query, alone, together with others, and in a transaction. */
async function runAll(database: Database) {
  const readings = Array.from({ length: COUNT }, (_, index) => ({
    sensor: index % 20 === 0 ? 'roof' : 'cellar',
    value: index === 7 ? FAR : index === 8 ? null : index,
  }));
  const inserted = await database.transact(async (transaction) => {
    const rows = [];
    for (const reading of readings) rows.push(...(await transaction.query(insert, reading)));
    return rows;
  });
  const together = [1, 5, 50].map((count) =>
    outcomeOf(database, page, { sensor: 'cellar', from: 101, count }),
  );
  return {
    inserted,
    everyRow: await outcomeOf(database, all, { after: 0 }),
    noRow: await outcomeOf(database, all, { after: COUNT }),
    pages: await Promise.all(together),
    read: await database.read(page, { sensor: 'roof', from: 1, count: 3 }),
    broken: await outcomeOf(database, atMostTen, { sensor: 'cellar' }),
    brokenInTransaction: await database
      .transact((transaction) => transaction.query(atMostTen, { sensor: 'roof' }))
      .catch(String),
    brokenPage: await outcomeOf(database, page, { sensor: 'cellar', from: 1, count: 60 }),
    renamed: await outcomeOf(database, rename, { from: 'roof', to: 'attic' }),
    removed: await outcomeOf(database, remove, { above: COUNT }),
    left: await outcomeOf(database, all, { after: 1_090 }),
    appended: [
      ...(await database.append([
        { idempotency: { key: 'a', fingerprint: digest('first') }, row: { sensor: 'yard', value: FAR } },
        { idempotency: { key: 'b', fingerprint: digest('second') }, row: { sensor: 'yard', value: 2 } },
      ])),
      ...(await database.append([{ row: { sensor: 'yard' } }, { row: { sensor: 'yard', value: -4n } }])),
    ],
    repeated: [
      ...(await database.append([
        { idempotency: { key: 'c', fingerprint: digest('third') }, row: { sensor: 'yard', value: 5 } },
        { idempotency: { key: 'b', fingerprint: digest('other') }, row: { sensor: 'yard', value: 6 } },
      ])),
      ...(await database.append([
        { idempotency: { key: 'b', fingerprint: digest('second') }, row: { sensor: 'yard', value: 2 } },
      ])),
    ],
    afterwards: await outcomeOf(database, all, { after: COUNT }),
  };
}

describe('a table that no engine knows', () => {
  const results = Object.fromEntries(
    engines.map((engine) => [
      engine,
      (async () => {
        await using opened = await open(engine);
        return await runAll(opened.database);
      })(),
    ]),
  );

  test('gives the same rows, and the same errors, on both engines', async () => {
    const [first, ...others] = await Promise.all(engines.map((engine) => results[engine]));
    for (const other of others) expect(other).toEqual(first);
  });

  test.each(engines)('has all of its 1,100 rows on %s', async (engine) => {
    const result = await results[engine];
    expect(result?.everyRow).toHaveLength(COUNT);
    expect(result?.everyRow[7]).toEqual({ id: 8, sensor: 'cellar', value: FAR });
  });

  test.each(engines)('gets rows on %s in their order, and once for each key', async (engine) => {
    const { appended, repeated, afterwards = [] } = (await results[engine]) ?? {};
    expect(appended?.map(({ isAdded }) => isAdded)).toEqual([true, true, true, true]);
    const [, second] = appended ?? [];
    expect(repeated).toEqual([
      { id: expect.anything(), isAdded: true },
      { id: second?.id, isAdded: false, hasSameFingerprint: false },
      { id: second?.id, isAdded: false, hasSameFingerprint: true },
    ]);
    const values = typeof afterwards === 'string' ? [] : afterwards.map(({ value }) => value);
    expect(values).toEqual([FAR, 2, null, -4, 5]);
  });

  test.each(engines)('refuses on %s what a query has not promised', async (engine) => {
    const result = await results[engine];
    expect(result?.broken).toMatch(/promises at most 10 rows returned more/);
    expect(result?.brokenInTransaction).toMatch(/promises at most 10 rows/);
    expect(result?.brokenPage).toMatch(/promises at most 50 rows/);
    expect(result?.pages.map((rows) => rows.length)).toEqual([1, 5, 50]);
  });
});
