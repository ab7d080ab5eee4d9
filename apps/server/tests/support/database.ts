import { NewPet, type Pet } from '@petstore/contract';
import { type Engine, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { longTimeouts } from '@petstore/test-support/servers/server-process';
import BetterSqlite3 from 'better-sqlite3';
import { sql } from 'kysely';
import type * as z from 'zod';
import type { Database, SchemaAccess } from '../../src/database/database.ts';
import type { Migrations } from '../../src/database/migrator.ts';
import { PostgresDatabase } from '../../src/database/postgres/database.ts';
import { SqliteDatabase } from '../../src/database/sqlite/database.ts';
import { CreateQueue } from '../../src/pets/create-queue.ts';
import { rowOf } from '../../src/pets/repository.ts';
import { type Config, readConfig } from '../../src/process/config.ts';
import { createDatabase } from '../../src/service/create-database.ts';

/** Creates the `Database` of a configuration and opens it, as commands do. */
export async function openDatabase(config: Config, access: SchemaAccess = 'migrate'): Promise<Database> {
  return openOrDispose(await createDatabase(config), access);
}

/** @returns the open database, and the names of the migrations that were applied */
async function openOrDispose<Opened extends Database>(database: Opened, access: SchemaAccess) {
  try {
    return Object.assign(database, { applied: await database.open(access) });
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

/** Opens a database. @param url as DATABASE_URL names it */
export const open = (url: string, access?: SchemaAccess): Promise<Database> =>
  openDatabase(readConfig({ DATABASE_URL: url, ...longTimeouts }), access);

/** Creates and opens a temporary database with the schema of this release. */
export async function openTemporaryDatabase(engine: Engine, environment: Record<string, string> = {}) {
  const temporary = await temporaryDatabase(engine);
  const config = readConfig({ DATABASE_URL: temporary.url, ...longTimeouts, ...environment });
  const database = await openDatabase(config);
  return {
    ...temporary,
    database,
    db: database.db,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await temporary[Symbol.asyncDispose]();
    },
  };
}

/** Brings the schema of a database up to date as `petstore migrate` does, but in this process. */
export async function migrate(url: string): Promise<void> {
  await using _database = await open(url);
}

/** Creates a temporary database with the schema of this release, which no process has open. */
export async function migratedDatabase(engine: Engine) {
  const temporary = await temporaryDatabase(engine);
  await migrate(temporary.url);
  return temporary;
}

export const caller = { name: 'test', owner: 'test' };

/** The row of a new pet, with every required column. */
export const rowNamed = (name: string) =>
  rowOf(NewPet.parse({ name, categoryId: 1 }), { created_at: 0, created_by: 'test' });

/** Opens a database as a release with these migrations does. */
export async function openRelease(
  engine: Engine,
  url: string,
  { migrations, access = 'migrate' }: { migrations: Migrations; access?: SchemaAccess },
) {
  const limits = { max: 4, connectionTimeoutMillis: 10_000, statement_timeout: 10_000 };
  const database =
    engine === 'sqlite'
      ? new SqliteDatabase(url.slice('sqlite:'.length), migrations)
      : new PostgresDatabase({ url }, limits, migrations);
  return openOrDispose<SqliteDatabase | PostgresDatabase>(database, access);
}

/** Adds pets as the service does. Without Idempotency-Keys, and with an unlimited queue, each creation has a pet. */
export async function addPets(database: Database, pets: readonly z.input<typeof NewPet>[]): Promise<Pet[]> {
  const queue = new CreateQueue(database, { maxWaiting: Number.POSITIVE_INFINITY });
  const creations = await Promise.all(pets.map((pet) => queue.create({ pet: NewPet.parse(pet), caller })));
  return creations.flatMap((creation) => ('pet' in creation ? creation.pet : []));
}

export async function runSql({ db }: Pick<Database, 'db'>, text: string): Promise<Record<string, unknown>[]> {
  return (await sql.raw<Record<string, unknown>>(text).execute(db)).rows;
}

/** Runs raw SQL in one transaction, on SQLite over the connection that writes. */
export const runInTransaction = ({ db }: Database, text: string) =>
  db.transaction().execute((transaction) => runSql({ db: transaction }, text));

/** Takes the lock of a SQLite file, as another program does that writes to it. @returns a function that releases it */
export function lockSqlite(url: string): () => void {
  const connection = new BetterSqlite3(url.slice('sqlite:'.length));
  connection.exec('begin immediate');
  return () => void connection.close();
}
