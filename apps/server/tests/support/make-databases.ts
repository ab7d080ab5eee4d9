import { openSqlite } from '../../src/database/sqlite/open.ts';
import { schema } from '../../src/schema.ts';

/** Longer than it takes to create a file, so that all processes begin the next at the same moment. */
const INTERVAL_MS = 12;

// Runs as a process of a test. It opens one new SQLite file after the other, at times that all processes share.
const [, , folder, count, start] = process.argv;

for (let number = 0; number < Number(count); number += 1) {
  while (Date.now() < Number(start) + number * INTERVAL_MS);
  await using _database = await openSqlite(`${folder}/${number}.db`, schema);
}
