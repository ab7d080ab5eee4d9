import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPetStore } from '@petstore/client';
import { temporaryFolder } from '@petstore/test-support/files';
import { readPetsByName } from '@petstore/test-support/pets-by-name';
import { startProgram } from '@petstore/test-support/programs';
import { chooseSeed, randomIntegers } from '@petstore/test-support/seed';
import { CLI, FIXED_KEY, runCli, startServer } from '@petstore/test-support/servers/server-process';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { failureOf } from '#support/commands';
import { migrate } from '#support/database';
import { backUp, restore } from '../../src/database/sqlite/backup.ts';

/** A folder with a database, and the commands on it. */
async function temporaryPetStore({ pets = 0 } = {}) {
  const folder = await temporaryFolder();
  const file = folder.file('petstore.db');
  const environment = { DATABASE_URL: `sqlite:${file}` };
  await migrate(environment.DATABASE_URL);
  change(
    file,
    `with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < ${pets})
     insert into pets (name, category_id) select 'pet ' || number, 1 from numbers where ${pets} > 0`,
  );
  return {
    path: folder.path,
    file,
    backup: folder.file('backup.db'),
    environment,
    run: (...command: string[]) => runCli(command, environment),
    fail: (...command: string[]) => failureOf(command, environment),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

function change(file: string, statement: string): void {
  const connection = new BetterSqlite3(file);
  connection.exec(statement);
  connection.close();
}

/** Reads the content of a database file, and expects it to be undamaged. */
function read(file: string) {
  const connection = new BetterSqlite3(file, { readonly: true });
  const column = (statement: string) => connection.prepare(statement).pluck().all();
  const content = {
    integrity: connection.pragma('integrity_check', { simple: true }),
    ids: column('select id from pets order by id'),
    names: column('select name from pets order by id'),
    recordsWithoutPet: column(
      'select key from idempotency_records where pet_id not in (select id from pets)',
    ),
  };
  connection.close();
  expect(content).toMatchObject({ integrity: 'ok', recordsWithoutPet: [] });
  return content;
}

/** A signal that never aborts. */
const interrupted = new AbortController().signal;

const countTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('a restore is refused while a server runs, and keeps the replaced file beside the restored one', async () => {
  await using store = await temporaryPetStore({ pets: 3 });
  await store.run('backup', store.backup);
  const server = await startServer(store.environment);
  const pets = createPetStore({ baseUrl: server.baseUrl, apiKey: FIXED_KEY });
  const lost = await pets.createPet({ name: 'lost', categoryId: 1 });
  const { code, stdout, stderr } = await store.run('restore', '--replace', store.backup);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^petstore: [^\n]+petstore\.db is in use: stop the servers first\n$/m);
  expect(await pets.getPet(lost.id)).toEqual(lost);
  await server.stop();

  expect(await store.run('restore', '--replace', store.backup)).toMatchObject({ code: 0 });
  const [kept = '', ...others] = readdirSync(store.path).filter((name) => name.includes('.before-restore-'));
  expect(others).toEqual([]);
  expect(read(`${store.path}/${kept}`).names).toContain('lost');
  await using again = await startServer(store.environment);
  expect((await readPetsByName(again.baseUrl)).size).toBe(3);
});

test('the database file exists at every moment of a restore, so that a kill cannot lose it', async () => {
  await using store = await temporaryPetStore({ pets: 10 });
  await store.run('backup', store.backup);
  const watch = `const { existsSync } = require('node:fs'); console.log(); for (;;) if (!existsSync(process.argv[1])) process.exit(9)`;
  const { child } = startProgram(['-e', watch, store.file]);
  await once(child.stdout, 'data');
  for (let round = 0; round < 30; round += 1) {
    const keep = `${store.file}.kept-${round}`;
    await restore(store.backup, store.file, { keep, interrupted });
    expect(read(keep).ids).toEqual(countTo(10));
  }
  expect(child.exitCode).toBe(null);
  child.kill();
});

test('a restore replaces a damaged database and keeps the damaged file', async () => {
  await using store = await temporaryPetStore({ pets: 1_000 });
  await store.run('backup', store.backup);
  writeFileSync(store.file, readFileSync(store.file).fill(0xa5, 4096));
  expect(await store.run('restore', '--replace', store.backup)).toMatchObject({ code: 0 });
  expect(read(store.file).ids).toEqual(countTo(1_000));
  const [kept = ''] = readdirSync(store.path).filter((name) => name.includes('.before-restore-'));
  expect(readFileSync(`${store.path}/${kept}`).includes(Buffer.alloc(4096, 0xa5))).toBe(true);
});

test('a killed backup or restore leaves each file either unchanged or complete', async () => {
  await using store = await temporaryPetStore({ pets: 100_000 });
  await store.run('backup', store.backup);
  change(store.file, `insert into pets (name, category_id) values ('last', 1)`);
  const random = randomIntegers(chooseSeed('killed commands'));
  for (let kill = 0; kill < 4; kill += 1) {
    const other = `${store.path}/other-${kill}.db`;
    const command = kill % 2 === 0 ? ['restore', '--replace', store.backup] : ['backup', other];
    const { child, ended } = startProgram([CLI, ...command], { environment: store.environment });
    // The command has begun once its partial file exists.
    const hasBegun = () => readdirSync(store.path).some((name) => name.endsWith(`.partial-${child.pid}`));
    await expect.poll(() => hasBegun() || child.exitCode !== null, { interval: 5 }).toBe(true);
    await sleep(random(0, 300));
    child.kill('SIGKILL');
    await ended;
    expect([100_000, 100_001]).toContain(read(store.file).ids.length);
    if (existsSync(other)) expect([100_000, 100_001]).toContain(read(other).ids.length);
    for (const name of readdirSync(store.path)) {
      if (name.includes('.before-restore-') && !name.includes('.partial-')) {
        expect([100_000, 100_001]).toContain(read(`${store.path}/${name}`).ids.length);
      }
    }
  }
  expect(await store.run('restore', '--replace', store.backup)).toMatchObject({ code: 0 });
  expect(read(store.file)).toEqual(read(store.backup));
});

test('a backup is one file, readable by its owner only, and has the write-ahead log of a killed server', async () => {
  await using store = await temporaryPetStore();
  const server = await startServer(store.environment);
  const pets = createPetStore({ baseUrl: server.baseUrl, apiKey: FIXED_KEY });
  await pets.createPet({ name: 'Ñandú', categoryId: 2n ** 63n - 1n });
  await server.stop('SIGKILL');
  const { stdout } = await store.run('backup', store.backup);
  expect(stdout).toBe(`${store.backup} is a complete backup.\n`);
  expect(statSync(store.backup).mode & 0o077).toBe(0);
  // The copy can be read without write access to it.
  chmodSync(store.backup, 0o400);
  expect(readdirSync(store.path)).toEqual(['backup.db', 'petstore.db']);
  expect(read(store.backup).names).toEqual(['Ñandú']);
});

describe('a backup fails and changes nothing', () => {
  test('when the backup file exists already', async () => {
    await using store = await temporaryPetStore();
    writeFileSync(store.backup, 'Dear diary');
    expect(await store.fail('backup', store.backup)).toMatch(/ exists, and is not overwritten$/);
    expect(readFileSync(store.backup, 'utf8')).toBe('Dear diary');
  });

  test('when its folder is missing', async () => {
    await using store = await temporaryPetStore();
    expect(await store.fail('backup', `${store.path}/missing/backup.db`)).toMatch(/^ENOENT/);
  });

  test('when there is no database, or only the file of another program', async () => {
    await using folder = await temporaryFolder();
    const backup = folder.file('backup.db');
    const options = { interrupted };
    writeFileSync(folder.file('empty.db'), '');
    for (const name of ['none.db', 'empty.db']) {
      const refusal = `there is no database at ${folder.file(name)}`;
      await expect(backUp(folder.file(name), backup, options)).rejects.toThrow(refusal);
    }
    writeFileSync(folder.file('diary.db'), 'Dear diary');
    await expect(backUp(folder.file('diary.db'), backup, options)).rejects.toThrow(/not a database/);
    change(folder.file('notes.db'), 'create table notes (text)');
    await expect(backUp(folder.file('notes.db'), backup, options)).rejects.toThrow(/another program/);
    expect(readdirSync(folder.path).toSorted()).toEqual(['diary.db', 'empty.db', 'notes.db']);
    await expect(backUp(folder.path, backup, options)).rejects.toThrow(`${folder.path} cannot be copied: `);
  });
});

describe('a restore fails and changes nothing', () => {
  test('when a database exists and --replace is missing', async () => {
    await using store = await temporaryPetStore({ pets: 10 });
    await store.run('backup', store.backup);
    const { code, stdout, stderr } = await store.run('restore', store.backup);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^petstore: [^\n]+petstore\.db exists: --replace [^\n]+\n$/m);
  });

  test('when the write-ahead log of a removed database exists and --replace is missing', async () => {
    await using store = await temporaryPetStore();
    await store.run('backup', store.backup);
    const server = await startServer(store.environment);
    const pets = createPetStore({ baseUrl: server.baseUrl, apiKey: FIXED_KEY });
    await pets.createPet({ name: 'lost', categoryId: 1 });
    await server.stop('SIGKILL');
    rmSync(store.file);
    const { code, stderr } = await store.run('restore', store.backup);
    expect(code).toBe(1);
    expect(stderr).toMatch(/petstore\.db-wal exists, and is not overwritten\n$/);
    expect(await store.run('restore', '--replace', store.backup)).toMatchObject({ code: 0 });
    expect(read(store.file)).toEqual(read(store.backup));
  });

  test('when a file already has the name for the replaced database', async () => {
    await using store = await temporaryPetStore({ pets: 10 });
    await store.run('backup', store.backup);
    change(store.file, `insert into pets (name, category_id) values ('last', 1)`);
    const keep = `${store.file}.before`;
    writeFileSync(keep, 'Dear diary');
    const options = { keep, interrupted };
    await expect(restore(store.backup, store.file, options)).rejects.toThrow(/before exists, and is not/);
    expect(readFileSync(keep, 'utf8')).toBe('Dear diary');
    expect(read(store.file).ids).toEqual(countTo(11));
  });

  test('when the backup is missing, damaged, the database itself or of another program', async () => {
    await using store = await temporaryPetStore({ pets: 1_000 });
    await store.run('backup', store.backup);
    change(store.file, `insert into pets (name, category_id) values ('last', 1)`);
    const variant = (name: string, bytes: Buffer) => writeFileSync(`${store.path}/${name}`, bytes);
    variant('damaged.db', readFileSync(store.backup).fill(0xa5, 8192, 20_000));
    variant('short.db', readFileSync(store.backup).subarray(0, 8192));
    change(`${store.path}/notes.db`, 'create table notes (text)');
    for (const [backup, reason] of [
      ['none.db', /there is no database at .*none\.db/],
      ['petstore.db', /is the database itself/],
      ['damaged.db', /damaged\.db is damaged/],
      ['short.db', /short\.db is damaged/],
      ['notes.db', /belongs to another program/],
    ] as const) {
      const keep = `${store.path}/kept-instead-of-${backup}`;
      const options = { keep, interrupted };
      await expect(restore(`${store.path}/${backup}`, store.file, options)).rejects.toThrow(reason);
    }
    expect(read(store.file).ids).toEqual(countTo(1_001));
  });
});

test('on PostgreSQL, backup and restore print one line that names pg_dump', async () => {
  const environment = { DATABASE_URL: 'postgres://127.0.0.1:1/petstore' };
  for (const command of ['backup', 'restore']) {
    expect(await failureOf([command, 'backup.db'], environment)).toContain('pg_dump');
  }
});
