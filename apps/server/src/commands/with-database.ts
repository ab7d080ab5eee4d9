import { readConfig } from '../config.ts';
import type { Database, SchemaAccess } from '../database/database.ts';
import { createDatabase, explainOutage, openForOperator } from '../open-database.ts';
import { failWith, watchOutput } from './output.ts';

/** How long the end of the database may take, on a busy machine too. */
const END_TIMEOUT_MS = 10_000;

/**
 * Runs a command on the database of the environment, and closes it afterwards.
 * @param access what the command may do to the schema
 * @param run gets the names of the migrations that were applied, too
 */
export async function withDatabase(
  access: SchemaAccess,
  run: (database: Database, applied: readonly string[]) => Promise<unknown>,
): Promise<void> {
  watchOutput();
  await using database = await createDatabase(readConfig());
  const applied = await openForOperator(database, access);
  await explainOutage(database, run(database, applied)).catch(failWith);
  // A thread that waits for the disk keeps the process alive, and `process.exit` would wait for it as well.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), END_TIMEOUT_MS).unref();
}
