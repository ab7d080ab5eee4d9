import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from './database/database.ts';
import type { LastUse } from './keys/last-use.ts';
import { deleteExpiredRecords } from './pets/idempotency.ts';

/** How often the hours of last use are saved. */
const SAVE_INTERVAL_MS = 60_000;

/** How often expired idempotency records are deleted. */
const DELETE_INTERVAL_MS = 60 * 60 * 1000;

/** How long the last save may hold up the end of the process: the database may not respond. */
const LAST_SAVE_MS = 1_000;

/**
 * Starts what a server does from time to time beside its requests.
 *
 * @returns a handle that ends it, and saves the last use of keys once more
 */
export function startUpkeep(database: Database, lastUse: LastUse, logger: Logger): AsyncDisposable {
  const save = () =>
    lastUse
      .save()
      .catch((err: unknown) => logger.error({ err }, 'The last use of API keys could not be saved'));
  async function deleteExpired(): Promise<void> {
    try {
      while (await deleteExpiredRecords(database));
    } catch (err) {
      logger.error({ err }, 'Expired idempotency records could not be deleted');
    }
  }
  const timers = [setInterval(save, SAVE_INTERVAL_MS), setInterval(deleteExpired, DELETE_INTERVAL_MS)];
  for (const timer of timers) timer.unref();
  return {
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearInterval(timer);
      await Promise.race([save(), sleep(LAST_SAVE_MS, undefined, { ref: false })]);
    },
  };
}
