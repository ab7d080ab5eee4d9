import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createPetStore } from '@petstore/client';
import { engines, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { startPostgres } from '@petstore/test-support/databases/postgres-server';
import { FIXED_KEY, runCli, startServer } from '@petstore/test-support/servers/server-process';
import { expect, test } from 'vitest';
import { failureOf } from '#support/commands';
import { privileges as required } from '../../src/database/postgres/privileges.ts';

test.runIf(engines.includes('postgres'))(
  'over postgres, the owner of a database creates pets even without pg_walfile_name',
  async () => {
    await using database = await temporaryDatabase('postgres');
    const role = `petstore_${randomBytes(8).toString('hex')}`;
    const url = new URL(database.url);
    await database.run(`create role ${role} login password 'secret'`);
    await database.run(`alter database ${url.pathname.slice(1)} owner to ${role}`);
    // Aurora refuses this function.
    await database.run('revoke execute on function pg_walfile_name(pg_lsn) from public');
    url.username = role;
    url.password = 'secret';
    const environment = { DATABASE_URL: url.href };

    expect(await runCli(['migrate'], environment)).toMatchObject({ code: 0 });
    expect(await runCli(['keys', 'create', '--name', 'shop'], environment)).toMatchObject({ code: 0 });
    await using server = await startServer(environment);
    const store = createPetStore({ baseUrl: server.baseUrl, apiKey: FIXED_KEY });
    const pet = await store.createPet({ name: 'Ñandú', categoryId: 7 });
    expect(await store.listPets()).toEqual([pet]);
    await server.stop();
    await database.run(`alter database ${url.pathname.slice(1)} owner to current_user`);
    await database.run(`reassign owned by ${role} to current_user`);
    await database.run(`drop role ${role}`);
  },
);

test.runIf(engines.includes('postgres'))(
  'over postgres, grants.sql creates roles to migrate, to serve and to back up, with the least privileges',
  async () => {
    await using postgres = await startPostgres();
    const grants = readFileSync(new URL('../../../../deploy/postgres/grants.sql', import.meta.url), 'utf8');
    const environmentOf = (role: string) => ({
      DATABASE_URL: postgres.url.replace('postgres:postgres@', `${role}:secret@`),
    });
    await postgres.query(grants);
    await postgres.query(
      `alter role petstore_migrate password 'secret'; alter role petstore_serve password 'secret'`,
    );
    expect(await runCli(['migrate'], environmentOf('petstore_migrate'))).toMatchObject({
      code: 0,
      stderr: '',
    });
    const environment = environmentOf('petstore_serve');
    const serve = () => failureOf(['serve'], { ...environment, PORT: '0' });
    expect(await serve()).toContain('permission denied for table kysely_migration');

    await postgres.query('grant select on kysely_migration to petstore_serve');
    const refusal = await serve();
    for (const [name, privileges] of Object.entries(required)) {
      for (const privilege of privileges) expect(refusal).toContain(`${privilege} on ${name}`);
    }
    expect(await failureOf(['keys', 'list'], environment)).toBe(refusal);

    await postgres.query(grants);
    await using server = await startServer(environment);
    const store = createPetStore({ baseUrl: server.baseUrl, apiKey: FIXED_KEY });
    const pet = await store.createPet({ name: 'Ñandú', categoryId: 7 });
    expect(await store.listPets()).toEqual([pet]);
    for (const command of [['create', '--name', 'shop'], ['rotate', 'shop'], ['revoke', 'shop'], ['list']]) {
      expect(await runCli(['keys', ...command], environment)).toMatchObject({ code: 0 });
    }
    for (const statement of [
      'update kysely_migration set name = name',
      'truncate pets',
      'drop table pets',
      'create table other ()',
    ]) {
      await expect(postgres.query(`set role petstore_serve; ${statement}`)).rejects.toThrow(
        /permission|owner/,
      );
    }

    const relations = await postgres.query(
      `select relname from pg_class where relkind in ('r', 'S') and relnamespace = 'public'::regnamespace`,
    );
    const names = relations.map(({ relname }) => relname);
    expect(names).toEqual(expect.arrayContaining(['kysely_migration_lock', 'pets', 'pets_id_seq']));
    for (const name of names) await postgres.query(`set role petstore_backup; select from ${name}`);
    const write = `insert into pets (name, category_id) values ('Rex', 1)`;
    await expect(postgres.query(`set role petstore_backup; ${write}`)).rejects.toThrow(/permission/);
  },
);
