import { spawnSync } from 'node:child_process';
import BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';
import { OURS } from '../peers.ts';
import { NAMES, petWithId, STATUSES } from './pets.ts';

/** Creates the tables and an API key with the service's own command. */
function createTables(databaseUrl: string): string {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [OURS.entry, 'keys', 'create', '--name', 'benchmarks'],
    { env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl }, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The tables cannot be created: ${stderr}`);
  return stdout.trim();
}

/**
 * Makes a SQLite file with the tables of the service, `count` pets and an API key.
 *
 * @param petOf the pet under each id
 * @returns the key
 */
export function seedSqlite(file: string, count: number, petOf = (id: number) => petWithId(id)): string {
  const apiKey = createTables(`sqlite:${file}`);
  const connection = new BetterSqlite3(file);
  const insert = connection.prepare('insert into pets (id, name, category_id, status) values (?, ?, ?, ?)');
  connection.transaction(() => {
    for (let id = 1; id <= count; id += 1) {
      const { name, categoryId, status } = petOf(id);
      insert.run(id, name, categoryId, status ?? null);
    }
  })();
  // Moves the write-ahead log into the file, so that the file alone can be copied.
  connection.pragma('wal_checkpoint(TRUNCATE)');
  connection.close();
  return apiKey;
}

/** Does the same in a PostgreSQL database, which makes the pets of `petWithId` itself: millions in minutes. */
export async function seedPostgres(url: string, count: number): Promise<string> {
  const apiKey = createTables(url);
  const client = new pg.Client(url);
  await client.connect();
  await client.query(
    `insert into pets (name, category_id, status, created_at, created_by)
     select ($2::text[])[id % cardinality($2) + 1] || ' ' || id, id % 50 + 1,
       ($3::text[])[id % cardinality($3) + 1], extract(epoch from now()) * 1000, 'benchmarks'
     from generate_series(1, $1::int) as id`,
    [count, NAMES, STATUSES],
  );
  await client.query('vacuum analyze pets');
  await client.end();
  return apiKey;
}

/** How many pets a SQLite file holds. */
export function countPets(file: string): number {
  const connection = new BetterSqlite3(file, { readonly: true });
  const count: unknown = connection.prepare('select count(*) from pets').pluck().get();
  connection.close();
  return Number(count);
}
