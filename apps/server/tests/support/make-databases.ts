import { openSqlite } from '../../src/database/sqlite.ts';

// A process of a test: opens one new SQLite file after the other, each at a time that others go by too.
const [, , folder, count, start] = process.argv;

for (let number = 0; number < Number(count); number += 1) {
  while (Date.now() < Number(start) + number * 12);
  await using _database = await openSqlite(`${folder}/${number}.db`);
}
