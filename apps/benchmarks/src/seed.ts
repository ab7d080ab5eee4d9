import type { Pet } from '@petstore/contract';
import type { PostgresServer } from '@petstore/test-support/databases/postgres-server';
import { runCli } from '@petstore/test-support/servers/server-process';
import BetterSqlite3 from 'better-sqlite3';

/** The number of pets in every database at the start. */
export const PET_COUNT = 200_000;

export const API_KEY = 'a-key-for-the-benchmarks';

export const STATUSES: readonly NonNullable<Pet['status']>[] = ['available', 'pending', 'sold'];

const NAMES = ['Ñandú', 'Otter', 'Lop-eared rabbit', 'Dodo 🦤', 'Corn snake', 'Ferret', 'Budgerigar'];

/** The pet that has this id in every seeded database. */
export const petWithId = (id: number) => ({
  id,
  name: `${NAMES[id % NAMES.length]} ${id}`,
  categoryId: (id % 50) + 1,
  status: STATUSES[id % STATUSES.length] ?? 'available',
});

const petsJson = (count: number) =>
  JSON.stringify(Array.from({ length: count }, (_, index) => petWithId(index + 1)));

/** Creates the tables of the service. @throws Error with the standard error when `petstore migrate` fails */
async function migrate(databaseUrl: string): Promise<void> {
  const { code, stderr } = await runCli(['migrate'], { DATABASE_URL: databaseUrl });
  if (code !== 0) throw new Error(stderr);
}

/** Creates a SQLite file with the tables of the service and `count` pets. */
export async function seedSqlite(file: string, count: number): Promise<void> {
  await migrate(`sqlite:${file}`);
  const connection = new BetterSqlite3(file);
  const pets = `select value ->> 'name', value ->> 'categoryId', value ->> 'status' from json_each(?)`;
  const insert = connection.prepare(`insert into pets (name, category_id, status) ${pets} order by key`);
  insert.run(petsJson(count));
  // Moves the write-ahead log into the file, so that a copy of the file is complete.
  connection.pragma('wal_checkpoint(TRUNCATE)');
  connection.close();
}

/** Creates the same pets in a PostgreSQL database. The JSON is part of the SQL text, so no name may have a single quote. */
export async function seedPostgres({ url, query }: PostgresServer, count: number): Promise<void> {
  await migrate(url);
  await query(
    `insert into pets (name, category_id, status)
     select value ->> 'name', (value ->> 'categoryId')::bigint, value ->> 'status'
     from json_array_elements('${petsJson(count)}') with ordinality order by ordinality`,
  );
  await query('vacuum analyze pets');
}
