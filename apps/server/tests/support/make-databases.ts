import { openSqlite } from '../../src/database/sqlite/open.ts';

/** Longer than making one takes, so that all processes come to the next together. */
const INTERVAL_MS = 12;

// A process of a test: opens one new SQLite file after the other, each at a time that others go by too.
const [, , folder, count, start] = process.argv;

for (let number = 0; number < Number(count); number += 1) {
  while (Date.now() < Number(start) + number * INTERVAL_MS);
  await using _database = await openSqlite(`${folder}/${number}.db`);
}
