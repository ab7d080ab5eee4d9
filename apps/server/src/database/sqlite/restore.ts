import { existsSync, linkSync, realpathSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type BetterSqlite3 from 'better-sqlite3';
import { OperatorError } from '../../operator-error.ts';
import { copyDatabase, countRows, type Progress, type RowCounts } from './backup.ts';
import { EPOCH_CHECK_INTERVAL_MS, whileBusy } from './database.ts';
import { faultOfFile } from './file.ts';
import { FILE_CHECK_INTERVAL_MS } from './file-watch.ts';
import { migrateConnection } from './migrate.ts';
import { COMPANIONS, createDatabaseFile } from './new-file.ts';
import { connect } from './open.ts';

/** When running servers have noticed a restored database, with some time to spare. */
const NOTICED_MS = FILE_CHECK_INTERVAL_MS + 5 * EPOCH_CHECK_INTERVAL_MS;

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
 * @throws OperatorError when the backup is damaged, its schema is newer than this release can serve, or there is a
 *   database that is to be kept
 */
export async function restore(
  backup: string,
  to: string,
  { keep, progress }: { keep: string | undefined; progress: Progress },
): Promise<Content & { isKept: boolean }> {
  if (!existsSync(backup)) throw new OperatorError(`there is no backup at ${backup}`);
  const file = existsSync(to) ? realpathSync(to) : to;
  if (file === realpathSync(backup)) throw new OperatorError(`${backup} is the database itself`);
  const [present] = filesOf(file);
  if (present !== undefined && keep === undefined) {
    throw new OperatorError(`${present} exists: --replace replaces it, and keeps its data in another file`);
  }
  progress.begin('Verifying the backup');
  const fault = faultOfFile(backup);
  if (fault) throw new OperatorError(`${backup} ${fault}`);
  if (keep === undefined) return { ...(await createFrom(backup, file, progress)), isKept: false };
  const restored = await replace(backup, file, { keep, progress });
  progress.begin('Waiting until running servers have noticed');
  await sleep(NOTICED_MS);
  return { ...restored, isKept: present !== undefined };
}

async function replace(
  backup: string,
  file: string,
  { keep, progress }: { keep: string; progress: Progress },
): Promise<Content> {
  const fault = await whileBusy(() => (existsSync(file) ? faultOfFile(file) : 'is missing'));
  if (fault === 'belongs to another program') throw new OperatorError(`${file} ${fault}`);
  return fault === undefined
    ? replaceContent(backup, file, { keep, progress })
    : createFrom(backup, file, progress, () => moveAside(file, keep));
}

/** Replaces what is in a database, which servers may have open. */
async function replaceContent(
  backup: string,
  file: string,
  { keep, progress }: { keep: string; progress: Progress },
): Promise<Content> {
  const connection = await whileBusy(() => connect(file));
  try {
    connection.prepare('attach ? as backup').run(backup);
    // From here on servers cannot commit: what they have acknowledged is in the file that is kept.
    await whileBusy(() => connection.exec('begin immediate'));
    progress.begin('Keeping the data from before');
    await copyDatabase(file, keep, progress);
    progress.begin('Restoring');
    const restored = await copyTables(backup, connection);
    connection.exec('commit');
    // Otherwise the next commit of a server would do it, and take long.
    connection.pragma('wal_checkpoint(PASSIVE)');
    return restored;
  } finally {
    connection.close();
  }
}

/** @param keep what happens right before the file takes the place of one that is there. @default there must be none */
function createFrom(backup: string, file: string, progress: Progress, keep?: () => void): Promise<Content> {
  progress.begin('Restoring');
  return createDatabaseFile(
    file,
    async (temporary) => {
      const connection = connect(temporary);
      try {
        connection.prepare('attach ? as backup').run(backup);
        connection.exec('begin immediate');
        const restored = await copyTables(backup, connection);
        connection.exec('commit');
        return restored;
      } finally {
        connection.close();
      }
    },
    keep,
  );
}

interface SchemaObject {
  type: 'table' | 'index' | 'view' | 'trigger';
  name: string;
  sql: string;
}

/** Replaces all tables by those of the attached backup, and migrates them: part of a transaction. */
async function copyTables(backup: string, connection: BetterSqlite3.Database): Promise<Content> {
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
  const migrations = await migrateConnection(connection, backup);
  return { counts: countRows(connection), migrations };
}

/** Keeps what is there of a damaged database under another name. Its log must not be taken for that of the next one. */
function moveAside(file: string, keep: string): void {
  for (const name of filesOf(file)) linkSync(name, keep + name.slice(file.length));
  for (const suffix of COMPANIONS) rmSync(file + suffix, { force: true });
}

/** The files of a database that are there. */
const filesOf = (file: string) => ['', ...COMPANIONS].map((suffix) => file + suffix).filter(existsSync);
