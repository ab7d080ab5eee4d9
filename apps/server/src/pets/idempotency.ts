import { hash } from 'node:crypto';
import { NewPet, stringifyJson } from '@petstore/contract';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Session } from '../database/database.ts';
import { MS_PER_MINUTE } from '../database/idempotency.ts';
import { query, type Tables } from '../tables.ts';

/** How long a record is kept at least. */
export const IDEMPOTENCY_RETENTION_MS = 24 * 60 * 60 * 1000;

/** Rows that one statement deletes, so that creations do not wait for it for long. */
const MAX_DELETED_ROWS = 1_000;

// In alphabetical order: that of the contract may change.
const properties = z.keyof(NewPet).options.toSorted();

/** What a pet has where a property was left out: its default in the contract, if there is one. */
const whenLeftOut = new Map<keyof NewPet, unknown>(
  properties.map((property) => [property, NewPet.shape[property].safeParse(undefined).data]),
);

/**
 * A digest that is equal for two bodies of the same NewPet, however they are written. A property that was left out does
 * not count, so that a later release with one more recognises a repetition.
 */
export function fingerprint(pet: NewPet): string {
  const given = properties.filter((property) => pet[property] !== whenLeftOut.get(property));
  return hash('sha256', stringifyJson(given.map((property) => [property, pet[property]])), 'base64url');
}

/** Deletes the oldest records that were made before a time, which is in the unit of the table. */
const deleteFrom = (table: keyof Tables) =>
  query(
    { createdBefore: 'int64', limit: 'int64' },
    (_db, $) => sql`
      delete from ${sql.table(table)} where key in (
        select key from ${sql.table(table)}
        where created_at < ${$('createdBefore')} order by created_at limit ${$('limit')}
      ) returning created_at`,
  );
const deleteRecords = deleteFrom('idempotency_records');
const deleteFormerRecords = deleteFrom('idempotency_keys');

/**
 * Deletes records that are older than the retention, some at a time.
 *
 * @returns whether there are more to delete
 */
export async function deleteExpiredRecords(session: Session, now = Date.now()): Promise<boolean> {
  const createdBefore = now - IDEMPOTENCY_RETENTION_MS;
  const limit = MAX_DELETED_ROWS;
  const deleted = [
    await session.query(deleteRecords, { createdBefore: Math.floor(createdBefore / MS_PER_MINUTE), limit }),
    await session.query(deleteFormerRecords, { createdBefore, limit }),
  ];
  return deleted.some(({ length }) => length === limit);
}
