import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Tables } from '../database/tables.ts';
import { deleteExpiredRecords } from '../pets/idempotency.ts';

const DELETE_INTERVAL_MS = 60 * 60 * 1000;

/** Deletes expired idempotency records, now and every hour, until the result is disposed of. */
export function startUpkeep(db: Kysely<Tables>, logger: Logger): Disposable {
  let isEnded = false;
  async function deleteExpired(): Promise<void> {
    try {
      let hasMore = true;
      while (hasMore && !isEnded) hasMore = await deleteExpiredRecords(db);
    } catch (err) {
      logger.error({ err }, 'Expired idempotency records could not be deleted');
    }
  }
  void deleteExpired();
  const timer = setInterval(deleteExpired, DELETE_INTERVAL_MS).unref();
  return {
    [Symbol.dispose]() {
      isEnded = true;
      clearInterval(timer);
    },
  };
}
