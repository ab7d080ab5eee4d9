import type { Logger } from 'pino';
import type { Database } from './database/database.ts';
import { deleteExpiredRecords } from './pets/idempotency.ts';

const DELETE_INTERVAL_MS = 60 * 60 * 1000;

/** Deletes expired idempotency records from time to time, until the result is disposed of. */
export function startUpkeep(database: Database, logger: Logger): Disposable {
  async function deleteExpired(): Promise<void> {
    try {
      while (await deleteExpiredRecords(database));
    } catch (err) {
      logger.error({ err }, 'Expired idempotency records could not be deleted');
    }
  }
  const timer = setInterval(deleteExpired, DELETE_INTERVAL_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
