import { describe, expect, test } from 'vitest';
import { checks } from '../src/checks/index.ts';
import { Nonconformity } from '../src/nonconformity.ts';
import { runChecks } from '../src/run.ts';
import { creating } from './defects/creating.ts';
import { fetching } from './defects/fetching.ts';
import { listing } from './defects/listing.ts';
import { naming } from './defects/naming.ts';
import { reading } from './defects/reading.ts';
import { refusing } from './defects/refusing.ts';
import { repeating } from './defects/repeating.ts';
import { API_KEY, createReferenceServer } from './reference/server.ts';

const defects = [...listing, ...creating, ...naming, ...reading, ...repeating, ...fetching, ...refusing];
const found = new Set<string>();

describe('A deployment with a defect is found out by the check that names it', () => {
  test.concurrent.each(defects)('$defect: $foundBy', async ({ breaks, foundBy }) => {
    const fetch = breaks(createReferenceServer());
    const target = { baseUrl: 'http://petstore.test/v1', apiKey: API_KEY, fetch };
    const failed = (await Array.fromAsync(runChecks(target))).filter(({ passed }) => !passed);
    for (const { check } of failed) found.add(check.name);
    expect(failed.map(({ check }) => check.name)).toContain(foundBy);
    for (const { error } of failed) expect(error).toBeInstanceOf(Nonconformity);
  });
});

test('Every check is failed by one of the defects at least', () => {
  expect(checks.map(({ name }) => name).filter((name) => !found.has(name))).toEqual([]);
});
