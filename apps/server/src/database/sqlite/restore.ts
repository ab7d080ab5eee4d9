import { existsSync, linkSync, realpathSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type BetterSqlite3 from 'better-sqlite3';
import { DatabaseFault } from '../database-fault.ts';
import type { Schema } from '../schema.ts';
import { copyDatabase, countRows, type Progress, type RowCounts } from './backup.ts';
import { whileBusy } from './busy.ts';
import { faultOfFile } from './files/file.ts';
import { FILE_CHECK_INTERVAL_MS } from './files/file-watch.ts';
import { COMPANIONS, createDatabaseFile } from './files/new-file.ts';
import { migrateConnection } from './migrate.ts';
import { connect } from './open.ts';

/** When running servers have noticed a restored database, with some time to spare. */
const NOTICED_MS = FILE_CHECK_INTERVAL_MS + 500;

/** A backup, and the file whose content it replaces. */
interface Restoration {
  backup: string;
  file: string;
  schema: Schema;
  progress: Progress;
}

interface Content {
  counts: RowCounts;
  /** The migrations that the backup lacked. */
  migrations: string[];
}

/**
 * Replaces a database by a backup, with its schema up to date. It is replaced in one transaction, so that servers may run:
 * they wait for it and serve the restored data afterwards. Only of a damaged database the file is replaced; servers
 * notice that, and must be restarted.
 *
 * @param keep the file that gets the data from before. Without it there must be no database
 * @returns what the database has now and whether something was kept, once running servers have noticed
 * @throws DatabaseFault when the backup is damaged, its schema is newer than this release can serve, or there is a
 *   database that is to be kept
 */
export async function restore(
  backup: string,
  to: string,
  { keep, schema, progress }: { keep: string | undefined; schema: Schema; progress: Progress },
): Promise<Content & { isKept: boolean }> {
  if (!existsSync(backup)) throw new DatabaseFault(`there is no backup at ${backup}`);
  const file = existsSync(to) ? realpathSync(to) : to;
  if (file === realpathSync(backup)) throw new DatabaseFault(`${backup} is the database itself`);
  const [present] = filesOf(file);
  if (present !== undefined && keep === undefined) {
    throw new DatabaseFault(`${present} exists: --replace replaces it, and keeps its data in another file`);
  }
  progress.begin('Verifying the backup');
  const fault = faultOfFile(backup, schema.applicationId);
  if (fault) throw new DatabaseFault(`${backup} ${fault}`);
  const restoration = { backup, file, schema, progress };
  if (keep === undefined) return { ...(await createFrom(restoration)), isKept: false };
  const restored = await replace(restoration, keep);
  progress.begin('Waiting until running servers have noticed');
  await sleep(NOTICED_MS);
  return { ...restored, isKept: present !== undefined };
}

async function replace(restoration: Restoration, keep: string): Promise<Content> {
  const { file, schema } = restoration;
  const fault = await whileBusy(() =>
    existsSync(file) ? faultOfFile(file, schema.applicationId) : 'is missing',
  );
  if (fault === 'belongs to another program') throw new DatabaseFault(`${file} ${fault}`);
  return fault === undefined
    ? replaceContent(restoration, keep)
    : createFrom(restoration, () => moveAside(file, keep));
}

/** Replaces what is in a database, which servers may have open. */
const replaceContent = (restoration: Restoration, keep: string): Promise<Content> =>
  fill(restoration.file, restoration, async () => {
    // From here on servers cannot commit: what they have acknowledged is in the file that is kept.
    restoration.progress.begin('Keeping the data from before');
    await copyDatabase(restoration.file, keep, restoration.progress);
  });

/** @param keep what happens right before the file takes the place of one that is there. @default there must be none */
const createFrom = (restoration: Restoration, keep?: () => void): Promise<Content> =>
  createDatabaseFile(restoration.file, (temporary) => fill(temporary, restoration), keep);

/** @param whenLocked what happens before the tables are replaced, once no other process can commit */
async function fill(
  file: string,
  restoration: Restoration,
  whenLocked?: () => Promise<void>,
): Promise<Content> {
  const { backup, schema, progress } = restoration;
  const connection = await whileBusy(() => connect(file, schema.applicationId));
  try {
    connection.prepare('attach ? as backup').run(backup);
    await whileBusy(() => connection.exec('begin immediate'));
    await whenLocked?.();
    progress.begin('Restoring');
    const restored = await copyTables(connection, restoration);
    connection.exec('commit');
    // Otherwise the next commit of a server would do it, and take long.
    connection.pragma('wal_checkpoint(PASSIVE)');
    return restored;
  } finally {
    connection.close();
  }
}

interface SchemaObject {
  type: 'table' | 'index' | 'view' | 'trigger';
  name: string;
  sql: string;
}

/** Replaces all tables by those of the attached backup, and migrates them: part of a transaction. */
async function copyTables(
  connection: BetterSqlite3.Database,
  { backup, schema }: Restoration,
): Promise<Content> {
  const objectsOf = (database: 'main' | 'backup') =>
    connection
      .prepare<[], SchemaObject>(
        `select type, name, sql from ${database}.sqlite_schema where sql is not null and name not like 'sqlite^_%' escape '^'`,
      )
      .all();
  for (const { type, name } of objectsOf('main')) {
    if (type === 'table' || type === 'view') connection.exec(`drop ${type} main."${name}"`);
  }
  const objects = objectsOf('backup');
  // Indexes before the rows: SQLite then copies the pages of both, which takes a fraction of the time.
  for (const { type, sql } of objects) if (type === 'table') connection.exec(sql);
  for (const { type, sql } of objects) if (type === 'index') connection.exec(sql);
  for (const { type, name } of objects) {
    if (type === 'table') connection.exec(`insert into main."${name}" select * from backup."${name}"`);
  }
  for (const { type, sql } of objects) if (type === 'view' || type === 'trigger') connection.exec(sql);
  const migrations = await migrateConnection(connection, schema).catch((error) => {
    throw error instanceof DatabaseFault ? new DatabaseFault(`${backup}: ${error.message}`) : error;
  });
  return { counts: countRows(connection), migrations };
}

/** Keeps what is there of a damaged database under another name. Its log must not be taken for that of the next one. */
function moveAside(file: string, keep: string): void {
  for (const name of filesOf(file)) linkSync(name, keep + name.slice(file.length));
  for (const suffix of COMPANIONS) rmSync(file + suffix, { force: true });
}

/** The files of a database that are there. */
const filesOf = (file: string) => ['', ...COMPANIONS].map((suffix) => file + suffix).filter(existsSync);
