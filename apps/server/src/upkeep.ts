import type { Logger } from 'pino';
import type { Database } from './database/database.ts';
import { deleteExpiredRecords } from './pets/idempotency.ts';

/** How often expired idempotency records are deleted. */
const DELETE_INTERVAL_MS = 60 * 60 * 1000;

/**
 * Starts what a server does from time to time beside its requests.
 * @returns a handle that ends it
 */
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
