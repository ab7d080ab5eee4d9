import { randomBytes } from 'node:crypto';
import { createPetStore } from '@petstore/client';
import { engines, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { FIXED_KEY, runCli, startServer } from '@petstore/test-support/servers/server-process';
import { expect, test } from 'vitest';

test.runIf(engines.includes('postgres'))(
  'over postgres, a role that only owns its database creates pets, also if the server hides its timeline',
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
