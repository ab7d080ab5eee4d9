import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { forgetExpired } from './idempotency.ts';

const INTERVAL_MS = 60 * 60 * 1000;

/**
 * Forgets expired Idempotency-Keys, once an hour.
 *
 * @returns a handle that ends it
 */
export function startHousekeeping({ database, logger }: { database: Database; logger: Logger }): Disposable {
  const timer = setInterval(async () => {
    try {
      while (await database.transact((transaction) => forgetExpired(transaction)));
    } catch (error) {
      logger.error({ err: error }, 'Expired Idempotency-Keys could not be forgotten');
    }
  }, INTERVAL_MS);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
