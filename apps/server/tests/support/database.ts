import { NewPet, type Pet } from '@petstore/contract';
import { type Engine, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { sql } from 'kysely';
import type * as z from 'zod';
import { readConfig } from '../../src/config.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/open-database.ts';
import { CreateQueue } from '../../src/pets/create-queue.ts';
import { query } from '../../src/tables.ts';

/** Creates and opens a temporary database with the schema of this release. */
export async function openTemporaryDatabase(engine: Engine, environment: Record<string, string> = {}) {
  const temporary = await temporaryDatabase(engine);
  const database = await openDatabase(readConfig({ DATABASE_URL: temporary.url, ...environment }));
  return {
    ...temporary,
    database,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await temporary[Symbol.asyncDispose]();
    },
  };
}

/**
 * Brings the schema of a database up to date as `petstore migrate` does, but in this process.
 * @param url as DATABASE_URL names it
 */
export async function migrate(url: string): Promise<void> {
  await using _database = await openDatabase(readConfig({ DATABASE_URL: url }));
}

/** Adds pets as the service does, without Idempotency-Keys. */
export async function addPets(database: Database, pets: readonly z.input<typeof NewPet>[]): Promise<Pet[]> {
  const queue = new CreateQueue(database, { maxWaiting: Number.POSITIVE_INFINITY });
  const caller = { name: 'test', owner: 'test' };
  const creations = await Promise.all(pets.map((pet) => queue.create({ pet: NewPet.parse(pet), caller })));
  return creations.flatMap((creation) => ('pet' in creation ? creation.pet : []));
}

/** Turns raw SQL into a run for `Database.query` and `Database.transact`. */
export const sqlRun = (text: string) => query({}, () => sql.raw<Record<string, unknown>>(text))({});

/** Runs raw SQL, and returns its rows. */
export const runSql = (database: Database, text: string) => database.query(sqlRun(text));
