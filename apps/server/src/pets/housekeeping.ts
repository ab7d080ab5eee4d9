import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { deleteExpiredRecords } from './idempotency.ts';

const INTERVAL_MS = 60 * 60 * 1000;

/**
 * Deletes expired idempotency records, once an hour.
 *
 * @returns a handle that ends it
 */
export function startHousekeeping({ database, logger }: { database: Database; logger: Logger }): Disposable {
  const timer = setInterval(async () => {
    try {
      while (await database.transact((transaction) => deleteExpiredRecords(transaction)));
    } catch (error) {
      logger.error({ err: error }, 'Expired idempotency records could not be deleted');
    }
  }, INTERVAL_MS);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
