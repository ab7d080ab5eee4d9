import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { engines, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { startPostgres } from '@petstore/test-support/databases/postgres-server';
import { describe, expect, test } from 'vitest';
import { addPets, migrate, open } from '#support/database';
import { privileges } from '../../src/database/postgres/privileges.ts';
import { createKey, revokeKeysOf, rotateKey } from '../../src/keys/manage.ts';
import { deleteExpiredRecords } from '../../src/pets/idempotency.ts';
import { listPets } from '../../src/pets/repository.ts';

const NEW_PET = { name: 'Ñandú', categoryId: 7 };

/** The privileges of the role that serves, such as `select on pets`. */
const required = Object.entries(privileges).flatMap(([name, list]) =>
  list.map((privilege) => `${privilege} on ${name}`),
);

describe.runIf(engines.includes('postgres'))('over postgres', () => {
  test('the owner of a database adds pets even without pg_walfile_name, and a start without pg_is_in_recovery fails', async () => {
    await using temporary = await temporaryDatabase('postgres');
    const role = `petstore_${randomBytes(8).toString('hex')}`;
    const url = Object.assign(new URL(temporary.url), { username: role, password: 'secret' });
    await temporary.run(`create role ${role} login password 'secret'`);
    await temporary.run(`alter database ${url.pathname.slice(1)} owner to ${role}`);
    await temporary.run('revoke execute on function pg_walfile_name(pg_lsn) from public'); // As Aurora does.

    const database = await open(url.href);
    expect(await addPets(database, [NEW_PET])).toHaveLength(1);
    await database[Symbol.asyncDispose]();
    await temporary.run('revoke execute on function pg_is_in_recovery() from public');
    const message = expect.stringMatching(/permission denied for function pg_is_in_recovery$/);
    await expect(open(url.href)).rejects.toMatchObject({ message, isTransient: false });
    await temporary.run('alter function pg_is_in_recovery() rename to is_missing');
    await expect(open(url.href)).rejects.toMatchObject({ isTransient: false });
    await temporary.run(`reassign owned by ${role} to current_user; drop role ${role}`);
  });

  test('grants.sql creates roles to migrate, to serve and to back up, with the least privileges, and a start names those that are missing', async () => {
    await using postgres = await startPostgres();
    const grants = readFileSync(new URL('../../../../deploy/postgres/grants.sql', import.meta.url), 'utf8');
    const urlOf = (role: string) => postgres.url.replace('postgres:postgres@', `${role}:secret@`);
    await postgres.query(grants); // Before the tables exist, this only creates the roles.
    for (const role of ['petstore_migrate', 'petstore_serve'])
      await postgres.query(`alter role ${role} password 'secret'`);
    await migrate(urlOf('petstore_migrate'));
    const openToServe = () => open(urlOf('petstore_serve'), 'expect');
    await expect(openToServe()).rejects.toThrow('permission denied for table kysely_migration');

    // Enough to read the migrations, so the start goes on to check the other privileges.
    await postgres.query('grant select on kysely_migration to petstore_serve');
    const refusal = await openToServe().catch(String);
    for (const privilege of required) expect(refusal).toContain(privilege);

    await postgres.query(grants);
    await using database = await openToServe();
    const added = await addPets(database, [NEW_PET]);
    expect(await listPets(database.db, { limit: 9 })).toEqual(added);
    await createKey(database.db, 'shop');
    await rotateKey(database.db, 'shop');
    expect(await revokeKeysOf(database.db, 'shop')).toBe(1n);
    expect(await deleteExpiredRecords(database.db)).toBe(false);
    const write = `backup; insert into pets (name, category_id) values ('Rex', 1)`;
    for (const statement of ['serve; drop table pets', 'serve; create table other ()', write])
      await expect(postgres.query(`set role petstore_${statement}`)).rejects.toMatchObject({ code: '42501' });

    const granted = await postgres.query(`select lower(privilege_type) || ' on ' || relname as privilege
      from pg_class, aclexplode(relacl) where grantee = 'petstore_serve'::regrole`);
    const expected = ['select on kysely_migration', ...required];
    expect(granted.map((row) => row.privilege).toSorted()).toEqual(expected.toSorted());

    const relations = await postgres.query(`select relname from pg_class
      where relkind in ('r', 'S') and relnamespace = 'public'::regnamespace`);
    const names = relations.map(({ relname }) => relname);
    expect(names).toEqual(expect.arrayContaining(['kysely_migration_lock', 'pets', 'pets_id_seq']));
    for (const name of names) await postgres.query(`set role petstore_backup; select from ${name}`);
  });
});
