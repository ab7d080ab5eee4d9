import { checks } from '@petstore/conformance';
import { type TemporaryDatabase, temporaryDatabase } from '@petstore/test-support/databases';
import { engines } from '@petstore/test-support/engines';
import { runCli, startServer } from '@petstore/test-support/server-process';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { migrations } from '../src/database/migrations/index.ts';
import { openDatabase } from '../src/database/open.ts';
import { runSql } from './support/sql.ts';

const names = Object.keys(migrations({ id: sql``, int64: sql``, tableEnd: sql`` }));
const newest = names.at(-1) ?? '';

/** Does to the database what a release of the future does at its start, with a change of every table. */
async function migrateToFuture(url: string, { servesSince }: { servesSince: string }): Promise<void> {
  await using database = await openDatabase(readConfig({ DATABASE_URL: url }));
  await database.transact(async (transaction) => {
    for (const statement of [
      'alter table pets add column breed text',
      `alter table idempotency_keys add column release text default 'future' not null`,
      `alter table api_keys add column team text default 'none' not null`,
      'create index pets_breed on pets (breed)',
      `insert into kysely_migration values ('999-future', '2099-01-01T00:00:00.000Z')`,
      `insert into schema_compatibility values ('999-future', '${servesSince}')`,
    ]) {
      await runSql(transaction, statement);
    }
  });
}

/** Runs all conformance checks, and returns what each failed check says. */
async function failuresOf(target: { baseUrl: string; apiKey: string }): Promise<string[]> {
  const failures: string[] = [];
  for (const { name, run } of checks) {
    await run({ ...target, fetch }).catch((error) => failures.push(`${name}: ${error}`));
  }
  return failures;
}

test('every migration names itself or an earlier one as the oldest that a release must know', () => {
  const all = Object.entries(migrations({ id: sql``, int64: sql``, tableEnd: sql`` }));
  for (const [index, [name, { servesSince }]] of all.entries()) {
    expect(names.slice(0, index + 1), name).toContain(servesSince);
  }
});

describe.each(engines)('over %s, on a schema of a newer release', (engine) => {
  let database: TemporaryDatabase;
  /** One of the database, which is looked up there. */
  let apiKey: string;

  beforeAll(async () => {
    database = await temporaryDatabase(engine);
    const environment = { DATABASE_URL: database.url };
    apiKey = (await runCli(['keys', 'create', '--name', 'test'], environment)).stdout.trim();
  });

  afterAll(() => database[Symbol.asyncDispose]());

  test('a server that runs while the schema changes conforms before and after', async () => {
    await using server = await startServer({ DATABASE_URL: database.url });
    expect(await failuresOf({ baseUrl: server.baseUrl, apiKey })).toEqual([]);
    await migrateToFuture(database.url, { servesSince: newest });
    expect(await failuresOf({ baseUrl: server.baseUrl, apiKey })).toEqual([]);
  });

  test('a server that can live with the change starts and conforms, and its commands work', async () => {
    await using server = await startServer({ DATABASE_URL: database.url });
    expect(await failuresOf({ baseUrl: server.baseUrl, apiKey })).toEqual([]);
    const environment = { DATABASE_URL: database.url };
    for (const command of [['migrate'], ['keys', 'create', '--name', 'shop'], ['keys', 'list']]) {
      expect(await runCli(command, environment)).toMatchObject({ code: 0, stderr: '' });
    }
  });

  test('a server that cannot live with the change fails to start, with one line', async () => {
    await using opened = await openDatabase(readConfig({ DATABASE_URL: database.url }));
    await runSql(
      opened,
      `update schema_compatibility set serves_since = '999-future' where migration = '999-future'`,
    );
    const { code, stderr } = await runCli(['serve'], { PORT: '0', DATABASE_URL: database.url });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^petstore: DATABASE_URL: .*newer than this release.*999-future[^\n]*\n$/);
  });
});
