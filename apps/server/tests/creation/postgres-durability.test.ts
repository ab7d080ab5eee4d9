import { engines, SETTINGS_TRIGGER, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { creation } from '@petstore/test-support/servers/fetch-with-key';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { startApp } from '#support/app';
import { runSql } from '#support/database';

describe.runIf(engines.includes('postgres'))('over PostgreSQL', () => {
  test.each([
    ['off', 'on'],
    ['remote_apply', 'remote_apply'],
  ])(
    'with synchronous_commit=%s in DATABASE_URL, a creation commits with %s, at read committed, without JIT and sequential scans, and with the search_path of the URL, and its settings end with it',
    async (set, expected) => {
      await using database = await temporaryDatabase('postgres');
      const url = new URL(database.url);
      url.search = `options=-c search_path=public,pg_temp -c synchronous_commit=${set} -c default_transaction_isolation=serializable`;
      await using app = await startApp({ DATABASE_URL: url.href, DATABASE_POOL_SIZE: '1' });
      await database.run(SETTINGS_TRIGGER);
      await app.request('/pets', creation());
      const used = `select concat_ws(' ', isolation, search_path, jit, enable_seqscan, synchronous_commit) as settings
        from transaction_settings`;
      const settings = `read committed public,pg_temp off off ${expected}`;
      expect(await runSql(app.service.database, used)).toEqual([{ settings }]);
      // The pool's only connection did the creation. Behind a pooler, other programs share its session.
      const left = sql`array(select name from pg_settings where source = 'session')::text`.as('left');
      expect(await app.db.selectNoFrom(left).execute()).toEqual([{ left: '{}' }]);
    },
  );

  test('a creation gets 201 although a trigger warns', async () => {
    // The only warning that fails a creation is about a cancelled wait for a standby.
    await using app = await startApp({}, { engine: 'postgres' });
    await app.run(`
      create function warn() returns trigger language plpgsql as $$ begin raise warning 'x'; return new; end $$;
      create trigger warn before insert on pets for each row execute function warn()`);
    expect((await app.request('/pets', creation())).status).toBe(201);
  });
});
