import { randomBytes } from 'node:crypto';
import { engines } from '@petstore/test-support/databases/databases';
import { creation } from '@petstore/test-support/servers/fetch-with-key';
import { describe, expect, test } from 'vitest';
import { startApp } from '#support/app';
import { openTemporaryDatabase } from '#support/database';

/**
 * Rules of the operator: no record is saved, no pet is called `bad`, a trigger skips `odd`, on PostgreSQL another one
 * changes the id of `moved`, names are unique and short. On PostgreSQL, 8,000 characters exceed a limit of index rows
 * (2,704 bytes), 16,000 another one (8,191 bytes), and 20,000 the type.
 */
const rules = {
  sqlite: `create trigger refuse_bad before insert on pets when new.name = 'bad' or length(new.name) > 99
      begin select raise(abort, 'bad'); end;
    create trigger skip before insert on pets when new.name in ('odd', 'moved') begin select raise(ignore); end;
    create trigger skip_record before insert on idempotency_records begin select raise(ignore); end;
    create unique index unique_name on pets (name)`,
  postgres: `alter table pets add check (name <> 'bad'), add unique (name), alter name type varchar(16000);
    create function skip() returns trigger language plpgsql as $$ begin return null; end $$;
    create trigger skip_odd before insert on pets for each row when (new.name = 'odd') execute function skip();
    create function move() returns trigger language plpgsql as $$ begin new.id = 99; return new; end $$;
    create trigger move before insert on pets for each row when (new.name = 'moved') execute function move();
    create trigger skip_record before insert on idempotency_records for each row execute function skip()`,
};

describe.each(engines)('over %s', (engine) => {
  test('a creation that breaks a rule of the database gets 400, and fails alone in its batch', async () => {
    await using app = await startApp({}, { engine });
    await app.run(rules[engine]);
    await app.request('/pets', creation('one'));
    const add = (name: string) => app.request('/pets', creation(name));
    // Random, because PostgreSQL could compress a repeated character.
    const tooLong = [8_000, 16_000, 20_000].map((length) => randomBytes(length / 2).toString('hex'));
    const responses = await Promise.all(['one', 'two', 'bad', 'odd', 'moved', 'three', ...tooLong].map(add));
    expect(responses.map(({ status }) => status)).toEqual([400, 201, 400, 400, 400, 201, 400, 400, 400]);
    expect(await responses[0]?.json()).toMatchObject({ code: 'invalid_body', status: 400 });
    expect((await app.request('/pets', creation('keyed', { 'idempotency-key': 'k' }))).status).toBe(400);
    expect(await (await app.request('/pets')).json()).toHaveLength(3);
  });

  test('a foreign key that refers to no row counts as a refused value, not as an outage, and a text in a column of integers is refused', async () => {
    await using opened = await openTemporaryDatabase(engine);
    const { db, classify } = opened.database;
    const row = { key: Buffer.alloc(16), fingerprint: 1, pet_id: 99, created_at: 0 };
    expect(await db.insertInto('idempotency_records').values(row).execute().catch(classify)).toBe('refused');
    await expect(opened.run(`insert into pets (name, category_id) values ('a', 'b')`)).rejects.toThrow();
  });
});
