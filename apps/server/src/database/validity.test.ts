import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isValid, versionsOf } from './validity.ts';

const version = { epoch: 1, newestId: 7 };

test('a page is valid until rows are added or changed, and a single row until rows are changed', () => {
  const page = { version, dependsOn: 'rows' as const };
  const row = { version, dependsOn: 'row' as const };
  expect(isValid(page, { epoch: 1, newestId: 7 })).toBe(true);
  expect(isValid(page, { epoch: 1, newestId: 8 })).toBe(false);
  expect(isValid(page, { epoch: 2, newestId: 7 })).toBe(false);
  expect(isValid(row, { epoch: 1, newestId: 8 })).toBe(true);
  expect(isValid(row, { epoch: 2, newestId: 7 })).toBe(false);
});

test('a version is asked for each time, unless an older one will do', async () => {
  let asked = 0;
  const database = {
    version: () => {
      asked += 1;
      return { epoch: 1, newestId: asked };
    },
  };
  const exact = versionsOf(database, 0);
  expect([(await exact()).newestId, (await exact()).newestId]).toEqual([1, 2]);
  const stale = versionsOf(database, 50);
  expect((await stale()).newestId).toBe(3);
  expect(asked).toBe(3);
  await sleep(60);
  expect((await stale()).newestId).toBe(4);
});
