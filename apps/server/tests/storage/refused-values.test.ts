import { engines } from '@petstore/test-support/databases/databases';
import { creation } from '@petstore/test-support/servers/fetch-with-key';
import { describe, expect, test } from 'vitest';
import { startApp } from '#support/app';
import { openTemporaryDatabase } from '#support/database';

/** Rules of the operator: no pet has the name `bad` or `odd`, and no two pets have the same name. */
const rules = {
  sqlite: `create trigger rule before insert on pets when new.name = 'bad' begin select raise(abort, 'bad'); end;
    create trigger other before insert on pets when new.name = 'odd' begin select raise(ignore); end;
    create unique index unique_name on pets (name)`,
  postgres: `alter table pets add constraint rule check (name not in ('bad', 'odd')), add unique (name)`,
};

describe.each(engines)('over %s', (engine) => {
  test('a creation that breaks a rule of the database gets 400, and fails alone in its batch', async () => {
    await using app = await startApp({}, { engine });
    await app.run(rules[engine]);
    await app.request('/pets', creation('one'));
    const add = (name: string) => app.request('/pets', creation(name));
    const responses = await Promise.all(['one', 'two', 'bad', 'odd', 'three'].map(add));
    expect(responses.map(({ status }) => status)).toEqual([400, 201, 400, 400, 201]);
    expect(await responses[0]?.json()).toMatchObject({ code: 'invalid_body', status: 400 });
    expect(await (await app.request('/pets')).json()).toHaveLength(3);
  });
});

test('over SQLite a foreign key that leads nowhere is told from an outage', async () => {
  await using opened = await openTemporaryDatabase('sqlite');
  const { db, classify } = opened.database;
  const orphan = { key: Buffer.alloc(16), fingerprint: 1, pet_id: 99, created_at: 0 };
  expect(await db.insertInto('idempotency_records').values(orphan).execute().catch(classify)).toBe('refused');
});

test.runIf(engines.includes('postgres'))('a log line about an error of PostgreSQL names no pet', async () => {
  await using app = await startApp({}, { engine: 'postgres' });
  await app.run('alter table pets add column nickname text not null');
  expect((await app.request('/pets', creation('Rex'))).status).toBe(500);
  const errors = app.logLines().filter(({ err }) => err !== undefined);
  expect(errors).toMatchObject([{ err: { code: '23502' } }]);
  expect(JSON.stringify(errors)).not.toContain('Rex');
});
