import { once } from 'node:events';
import { chownSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { countPets, runSqlite } from '@petstore/test-support/databases/databases';
import { temporaryFolder } from '@petstore/test-support/files';
import { runShell, startProgram } from '@petstore/test-support/programs';
import { CLI } from '@petstore/test-support/servers/server-process';
import { describe, expect, test, vi } from 'vitest';
import { failureOf, runCommand } from '#support/commands';
import { addPets, open, runSql } from '#support/database';
import { backUp } from '../../src/database/sqlite/backup.ts';
import { restore } from '../../src/database/sqlite/restore.ts';

const PET = { name: 'pet', categoryId: 1 };

/** Options with a signal that never aborts. */
const options = { interrupted: new AbortController().signal };

/** Creates a folder with a database, which no process has open, and on request with a backup of the database. */
async function temporaryPetStore({ pets = 0, hasBackup = false } = {}) {
  const folder = await temporaryFolder();
  const file = folder.file('petstore.db');
  const url = `sqlite:${file}`;
  await using database = await open(url);
  await addPets(database, Array(pets).fill(PET));
  const backup = folder.file('backup.db');
  if (hasBackup) await backUp(file, backup, options);
  /** Replaces the database by the backup, and keeps the database under another name. */
  const replace = (keepAs: string, others: Partial<Parameters<typeof restore>[2]> = {}) =>
    restore(backup, file, { ...options, ...others, keepAs: folder.file(keepAs) });
  return { folder, file, url, backup, replace, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
}

const addLast = (file: string) =>
  runSqlite(file, `insert into pets (name, category_id, status) values ('last', 1, 'sold')`);

test('a backup is complete even if standard error cannot be written', async () => {
  await using store = await temporaryPetStore({ pets: 3 });
  const line = `'${process.execPath}' '${CLI}' backup '${store.backup}' 2>/dev/full`;
  expect(await runShell(line, { environment: { DATABASE_URL: store.url } })).toMatchObject({ code: 0 });
  expect(countPets(store.backup)).toBe(3);
});

test('restore replaces a database only with --replace, also behind a symbolic link, names the file with the replaced data, says which keys are left, and the database takes pets', async () => {
  await using store = await temporaryPetStore({ pets: 3 });
  expect(await runCommand(['backup', store.backup], { DATABASE_URL: store.url })).toEqual({
    code: 0,
    stdout: `${store.backup} is a complete backup.\n`,
    stderr: `Copying ${store.file}, and verifying the copy\n`,
  });
  addLast(store.file);
  const link = store.folder.file('link.db');
  symlinkSync(store.file, link);
  const linked = { DATABASE_URL: `sqlite:${link}` };
  expect(await failureOf(['restore', store.backup], linked)).toMatch(/ exists: --replace /);
  expect(countPets(store.file)).toBe(4);
  const { code, stdout } = await runCommand(['restore', '--replace', store.backup], linked);

  const isKept = (name: string) => /^petstore\.db\.before-restore-\d+$/.test(name);
  const [kept = '', ...others] = readdirSync(store.folder.path).filter(isKept);
  expect(others).toEqual([]);
  const lines = `${store.folder.file(kept)} has the data from before.\n${store.file} is restored, and has all keys from before.\n`;
  expect({ code, stdout }).toEqual({ code: 0, stdout: lines });
  expect([store.file, store.folder.file(kept)].map(countPets)).toEqual([3, 4]);
  await using database = await open(linked.DATABASE_URL);
  await addPets(database, [PET]);
  const pets = await runSql(database, 'select id, name from pets where id > 3');
  expect(pets, 'the replaced database had a pet 4').toEqual([{ id: 5, name: 'pet' }]);

  const file = store.folder.file('new.db');
  const environment = { DATABASE_URL: `sqlite:${file}` };
  const first = await runCommand(['restore', '--replace', store.backup], environment);
  const line = `${file} is restored, and has the keys of the backup, also if revoked since.\n`;
  expect(first.stdout, 'without data from before').toBe(line);
  const second = await runCommand(['restore', '--replace', '--lose-keys', store.backup], environment);
  expect(second.stdout).toContain(line);
});

test('a restore keeps the keys and gives out no id again, also from a backup of an older release, and when repeated', async () => {
  await using store = await temporaryPetStore();
  const addKey = (name: string) =>
    `insert into api_keys (hash, name, scope, created_at) values ('${name}', '${name}', 'read', 0);`;
  runSqlite(store.file, addKey('leaked') + addKey('limited'));
  await backUp(store.file, store.backup, options);
  // Only the backup has `lost` and `reasonless`, as if an older backup had replaced `store.file` since.
  const toOlder = `delete from kysely_migration where name like '003%'; alter table api_keys drop end_reason`;
  runSqlite(store.backup, addKey('lost') + addKey('reasonless') + toOlder);
  runSqlite(store.file, `update api_keys set rate_limit = '9/1' where name = 'limited'; ${addKey('new')}`);
  runSqlite(store.file, `update api_keys set ends_at = 1, end_reason = 'revoked' where name = 'leaked'`);
  addLast(store.file);
  await store.replace('first');
  const later = store.folder.file('later.db');
  await backUp(store.file, later, options);
  // An older release, which records no reason, has revoked `reasonless`.
  const reason = `case name when 'lost' then 'revoked' when 'new' then 'rotated' end`;
  runSqlite(later, `update api_keys set ends_at = 2, end_reason = ${reason}, rate_limit = null`);
  runSqlite(store.file, `update api_keys set ends_at = 2 where name = 'limited'`);
  await restore(later, store.file, { ...options, keepAs: store.folder.file('second') });

  await using database = await open(store.url, 'expect');
  const query = 'select name, ends_at, end_reason, rate_limit from api_keys order by name';
  expect(await runSql(database, query)).toEqual([
    { name: 'leaked', ends_at: 1, end_reason: 'revoked', rate_limit: null },
    // Both databases have this key: first without an end, then with the same end.
    { name: 'limited', ends_at: 2, end_reason: null, rate_limit: '9/1' },
    { name: 'lost', ends_at: 2, end_reason: 'revoked', rate_limit: null },
    { name: 'new', ends_at: 2, end_reason: 'rotated', rate_limit: null },
    { name: 'reasonless', ends_at: 2, end_reason: null, rate_limit: null },
  ]);
  await addPets(database, [PET]);
  expect(await runSql(database, 'select id from pets')).toEqual([{ id: 2 }]);

  await restore(store.backup, store.folder.file('missing.db'), options);
  await using _migrated = await open(`sqlite:${store.folder.file('missing.db')}`, 'expect');
});

test('the database file exists at every moment of a restore, so that a kill cannot lose it', async () => {
  await using store = await temporaryPetStore({ hasBackup: true });
  const watch = `const { existsSync } = require('node:fs'); console.log(); for (;;) if (!existsSync(process.argv[1])) process.exit(9)`;
  const { child } = startProgram(['-e', watch, store.file]);
  await once(child.stdout, 'data');
  // The watch could miss a single short absence.
  for (let round = 0; round < 15; round += 1) await store.replace(`kept-${round}`);
  expect(child.exitCode).toBe(null);
  child.kill();
});

test('a restore replaces a damaged, empty or lost database for its owner and keeps what is left of it', async () => {
  await using store = await temporaryPetStore({ pets: 1_000, hasBackup: true });
  const damaged = readFileSync(store.file).fill(0xa5, 4096);
  writeFileSync(store.file, damaged);
  await chmod(store.file, 0o640);
  // Root restores for the user and the group of the server. Another user's group may be a wrong one.
  const server = { uid: 65_534, gid: 65_534, mode: 0o640 };
  const { uid, gid, mode } = process.getuid?.() ? { ...statSync(store.file), mode: 0o600 } : server;
  for (const path of [store.file, store.folder.path]) chownSync(path, uid, gid);
  await expect(store.replace('damaged.db')).rejects.toThrow(/petstore\.db cannot be read: .*; --lose-keys /);
  await store.replace('damaged.db', { loseKeys: true });
  expect(countPets(store.file)).toBe(1_000);
  expect(statSync(store.file).mode & 0o777, 'access of a group').toBe(mode);
  expect(readFileSync(store.folder.file('damaged.db')).includes(damaged.subarray(4096))).toBe(true);

  writeFileSync(store.file, '');
  expect(await store.replace('empty.db'), 'has kept keys').toBe(false);
  expect(countPets(store.file)).toBe(1_000);

  // SQLite cannot use the log of a file that is lost, or no longer a database.
  for (const [name, damage] of [
    ['lost.db', () => rmSync(store.file)],
    ['diary.db', () => writeFileSync(store.file, 'Dear diary')],
  ] as const) {
    damage();
    writeFileSync(`${store.file}-wal`, 'the log');
    await store.replace(name, { loseKeys: true });
    expect(countPets(store.file)).toBe(1_000);
    expect(readFileSync(store.folder.file(`${name}-wal`), 'utf8')).toBe('the log');
    expect(statSync(store.file)).toMatchObject({ uid, gid });
  }

  rmSync(store.file);
  await restore(store.backup, store.file, options);
  expect(statSync(store.file), 'without --replace').toMatchObject({ uid, gid });
});

test('a command says that the permission to read the database is missing', async () => {
  await using store = await temporaryPetStore();
  // Root can read each file, so another user repeats the command, with the modules that root has loaded.
  const program = `import { runProgram } from ${JSON.stringify(CLI.replace('cli.js', 'program.js'))};
    await runProgram(['keys', 'list']);
    const [, folder, file] = process.argv; fs.chmodSync(folder, 0o711); fs.chmodSync(file, 0);
    process.setuid(process.getuid() || 65534);
    await runProgram(['keys', 'list']);`;
  const args = ['-e', program, store.folder.path, store.file];
  const { ended } = startProgram(args, { environment: { DATABASE_URL: store.url } });
  const stderr = `petstore: DATABASE_URL: cannot open ${store.file}: EACCES: permission denied, access '${store.file}'\n`;
  expect(await ended).toMatchObject({ code: 1, stderr });
});

test('a backup can be interrupted every 4 MB, pets that are added meanwhile neither prolong it nor are in it, and it closes the database before it ends', async () => {
  await using store = await temporaryPetStore({ pets: 1_000 });
  // Names of 10 kB make 10 MB, which are three parts.
  runSqlite(store.file, 'update pets set name = hex(zeroblob(5000))');
  const { signal } = new AbortController();
  // `backUp` checks the signal before each part, and after the verification. Each check adds a pet here.
  using check = vi.spyOn(signal, 'throwIfAborted').mockImplementation(() => addLast(store.file));
  // SQLite leaves WAL mode only if the backup has closed the database.
  const complete = async () => runSqlite(store.file, 'pragma journal_mode = delete');
  await backUp(store.file, store.backup, { interrupted: signal, complete });
  expect(check).toHaveBeenCalledTimes(4);
  expect(countPets(store.backup)).toBe(1_000);
});

test('a backup is one file, readable by its owner only, and has the write-ahead log of a killed server', async () => {
  await using store = await temporaryPetStore();
  const database = await open(store.url);
  await addPets(database, [PET]);
  // The files that a killed server leaves behind.
  const killed = store.folder.file('killed.db');
  for (const suffix of ['', '-wal']) writeFileSync(killed + suffix, readFileSync(store.file + suffix));
  await database[Symbol.asyncDispose]();
  await backUp(killed, store.backup, options);

  expect(statSync(store.backup).mode & 0o077).toBe(0);
  expect(countPets(store.backup)).toBe(1);
  // A reader of a copy with a write-ahead log would leave files behind. SQLite has merged `killed.db-wal`.
  expect(readdirSync(store.folder.path)).toEqual(['backup.db', 'killed.db', 'petstore.db']);
});

test('a backup that is interrupted during its verification leaves no file behind', async () => {
  await using store = await temporaryPetStore();
  const interrupted = new AbortController();
  // After the first check, the next turn copies the pages and verifies the copy. A signal that comes meanwhile is
  // handled in the turn after it.
  vi.spyOn(interrupted.signal, 'throwIfAborted').mockImplementationOnce(() => {
    setImmediate(() => setImmediate(() => interrupted.abort(new Error('interrupted'))));
  });
  const backingUp = backUp(store.file, store.backup, { interrupted: interrupted.signal });
  await expect(backingUp).rejects.toThrow('interrupted');
  expect(readdirSync(store.folder.path)).toEqual(['petstore.db']);
});

test('a backup fails and changes nothing if its source is no pet store, or its target exists or has no folder', async () => {
  await using folder = await temporaryFolder();
  const { file } = folder;
  writeFileSync(file('empty.db'), '');
  writeFileSync(file('diary.db'), 'Dear diary');
  symlinkSync('none', file('link.db'));
  runSqlite(file('notes.db'), 'create table notes (text)');
  await using store = await temporaryPetStore();
  for (const [from, to, reason] of [
    [file('none.db'), 'backup.db', /^there is no database at .*none\.db/],
    [file('empty.db'), 'backup.db', /^there is no database at .*empty\.db/],
    [file('diary.db'), 'backup.db', /not a database/],
    [file('notes.db'), 'backup.db', /another program/],
    [folder.path, 'backup.db', / cannot be copied: /],
    [store.file, 'diary.db', / exists, and is not overwritten$/],
    [store.file, 'link.db', / exists, and is not overwritten$/],
    [store.file, 'none/backup.db', /^ENOENT/],
  ] as const)
    await expect(backUp(from, file(to), options)).rejects.toThrow(reason);
  expect(readdirSync(folder.path).toSorted()).toEqual(['diary.db', 'empty.db', 'link.db', 'notes.db']);
  expect(readFileSync(file('diary.db'), 'utf8')).toBe('Dear diary');
});

test('a backup fails if its source is replaced before the copy', async () => {
  await using store = await temporaryPetStore({ hasBackup: true });
  const backingUp = backUp(store.file, store.folder.file('late.db'), options);
  rmSync(store.file);
  writeFileSync(store.file, readFileSync(store.backup));
  await expect(backingUp).rejects.toThrow(/petstore\.db was replaced, for example by a restore: try again$/);
  expect(readdirSync(store.folder.path)).not.toContain('late.db');
});

test('no server can open the database while it is restored', async () => {
  await using store = await temporaryPetStore({ hasBackup: true });
  const readAtOnce = () => runSqlite(store.file, 'pragma busy_timeout = 0; select 1 from pets');
  const onStart = vi.fn(() => expect(readAtOnce).toThrow('locked'));
  await store.replace('kept.db', { onStart });
  expect(onStart).toHaveBeenCalledOnce();
});

describe('a restore fails and changes nothing', () => {
  test('while a server uses the database', async () => {
    await using store = await temporaryPetStore({ hasBackup: true });
    await using server = await open(store.url);
    await addPets(server, [PET]);
    await expect(store.replace('kept.db')).rejects.toThrow(/petstore\.db is in use: stop the servers first$/);
    expect(countPets(store.file)).toBe(1);
  });

  test('when only the write-ahead log of a lost database is left, or the name for the kept file is taken', async () => {
    await using store = await temporaryPetStore({ hasBackup: true });
    const { folder, backup, file } = store;
    writeFileSync(folder.file('lost.db-wal'), 'Dear diary');
    writeFileSync(folder.file('kept.db'), 'Dear diary');
    addLast(file);
    const lost = restore(backup, folder.file('lost.db'), options);
    await expect(lost).rejects.toThrow(/lost\.db-wal exists, and is not overwritten$/);
    await expect(store.replace('kept.db')).rejects.toThrow(/kept\.db exists, and is not overwritten$/);
    expect(readFileSync(folder.file('kept.db'), 'utf8')).toBe('Dear diary');
    expect(countPets(file)).toBe(1);
  });

  test('when a server creates the database meanwhile', async () => {
    await using store = await temporaryPetStore();
    const to = store.folder.file('new.db');
    const onStart = () => runSqlite(to, 'create table pets (name)');
    const restoring = restore(store.file, to, { ...options, onStart, keepAs: store.folder.file('kept.db') });
    await expect(restoring).rejects.toThrow(/new\.db exists, and is not overwritten$/);
    expect(countPets(to)).toBe(0);
  });

  test('when the backup is the database itself or damaged, or the database is of another program or a folder', async () => {
    await using store = await temporaryPetStore({ pets: 1_000 });
    const { folder, backup, file } = store;
    addLast(file);
    await backUp(file, backup, options);
    // In the damaged file, an index has another status than its row.
    const bytes = readFileSync(backup);
    bytes.write('gone', bytes.lastIndexOf('sold'));
    writeFileSync(folder.file('damaged.db'), bytes);
    writeFileSync(folder.file('short.db'), readFileSync(backup).subarray(0, 8192));
    symlinkSync(file, folder.file('link.db'));
    for (const [name, reason] of [
      ['petstore.db', /is the database itself/],
      ['link.db', /is the database itself/],
      ['damaged.db', /damaged\.db is damaged/],
      ['short.db', /short\.db is damaged/],
    ] as const) {
      const keepAs = folder.file(`kept-instead-of-${name}`);
      await expect(restore(folder.file(name), file, { ...options, keepAs })).rejects.toThrow(reason);
    }
    expect(countPets(file)).toBe(1_001);

    runSqlite(folder.file('notes.db'), 'create table notes (text)');
    const over = restore(backup, folder.file('notes.db'), { ...options, keepAs: folder.file('kept.db') });
    await expect(over).rejects.toThrow(/belongs to another program/);
    const onFolder = restore(backup, folder.path, { ...options, keepAs: folder.file('kept.db') });
    await expect(onFolder).rejects.toThrow(`${folder.path} cannot be replaced: unable to open database file`);
    expect(readdirSync(folder.path)).not.toContain('kept.db');
  });
});

test('on PostgreSQL, backup prints one line that names pg_dump', async () => {
  expect(await failureOf(['backup', 'backup.db'], { DATABASE_URL: 'postgres://a/b' })).toContain('pg_dump');
});
