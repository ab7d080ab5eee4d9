import { readFileSync } from 'node:fs';
import { temporaryFolder } from '@petstore/test-support/files';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { Callers, MIXES } from '../src/soak/callers.ts';
import { createDisk } from '../src/soak/disk.ts';
import { Ledger } from '../src/soak/ledger.ts';
import { drawSoak } from '../src/soak/picture.ts';
import { soak } from '../src/soak/soak.ts';
import { startSqliteService } from '../src/soak/sqlite-service.ts';

const SECONDS = 12;
/** Its events take longer on a machine that is busy. */
const TIMEOUT_MS = 300_000;

test(
  'a short soak goes through all events, loses nothing and draws them',
  async () => {
    await using folder = await temporaryFolder();
    await using disk = await createDisk(folder.file('tried'));

    const result = await soak({
      engine: 'sqlite',
      seconds: SECONDS,
      rate: 50,
      pets: 500,
      file: folder.file,
      log: folder.file('server'),
      report: () => {},
    });

    expect(result.examples).toEqual([]);
    expect(result.assessments.filter(({ isKept }) => isKept === false)).toEqual([]);
    const names = ['kill -9', 'backup', 'restore', 'key rotation', 'failover'];
    const expected = disk.fill === undefined ? names : [...names, 'full disk'];
    expect(result.events.map(({ name }) => name)).toEqual(expected);
    const svg = drawSoak(result);
    for (const name of expected) expect(svg).toContain(`>${name}</text>`);
    // Each event leaves its trace in the log: the server was started again after the kill, restore and failover.
    const starts = readFileSync(folder.file('server.log'), 'utf8').match(/"address":/g);
    expect(starts).toHaveLength(4);
  },
  TIMEOUT_MS,
);

test('callers find what was lost, doubled and changed behind the back of the service', async () => {
  await using folder = await temporaryFolder();
  const place = { disk: folder.path, pets: 10, file: folder.file, log: folder.file('server') };
  await using service = await startSqliteService(place);
  const ledger = new Ledger(place.pets);
  const callers = new Callers(`http://127.0.0.1:${service.server.port}/v1`, service.apiKey, ledger);
  const enough = new AbortController();
  const sending = callers.send(50, () => MIXES.mix30, enough.signal);
  await expect.poll(() => ledger.acknowledged).toBeGreaterThan(5);
  enough.abort();
  await sending;
  expect(ledger.problems).toEqual({ lost: 0, doubled: 0, changed: 0, misplaced: 0 });

  const connection = new BetterSqlite3(folder.file('petstore.db'));
  connection.exec(`delete from pets where id = 11`);
  connection.exec(`update pets set category_id = category_id + 1 where id = 12`);
  connection.exec(
    `insert into pets (name, category_id, status) select name, category_id, status from pets where id = 13`,
  );
  connection.close();
  await callers.audit(0);

  expect(callers.totals.failedCalls).toBe(0);
  expect(ledger.problems).toEqual({ lost: 1, doubled: 1, changed: 1, misplaced: 0 });
});
