import { engines, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { describe, expect, test } from 'vitest';
import { startApp } from '#support/app';
import { runInTransaction, runSql } from '#support/database';

/** A trigger that stores the settings of the transaction that adds a pet. */
const NOTE_SETTINGS = [
  'create table noted (synchronous_commit text, search_path text, jit text)',
  `create function note() returns trigger language plpgsql as $$
   begin
     insert into noted
     values (current_setting('synchronous_commit'), current_setting('search_path'), current_setting('jit'));
     return new;
   end $$`,
  'create trigger note after insert on pets for each row execute function note()',
];

describe.runIf(engines.includes('postgres'))('over PostgreSQL', () => {
  test.each([
    ['off', 'on'],
    ['remote_apply', 'remote_apply'],
  ])(
    'with synchronous_commit=%s in DATABASE_URL a creation uses %s, no JIT and all other options',
    async (set, expected) => {
      await using database = await temporaryDatabase('postgres');
      const url = new URL(database.url);
      url.searchParams.set('options', `-c search_path=public,pg_temp -c synchronous_commit=${set}`);
      await using app = await startApp({ DATABASE_URL: url.href }, { engine: 'postgres' });
      await runInTransaction(app.service.database, ...NOTE_SETTINGS);
      await app.request('/pets', { method: 'POST', body: '{"name":"a","categoryId":1}' });
      expect(await runSql(app.service.database, 'select * from noted')).toEqual([
        { synchronous_commit: expected, search_path: 'public,pg_temp', jit: 'off' },
      ]);
    },
  );
});
