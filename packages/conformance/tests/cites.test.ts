import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checks, wireChecks } from '../src/checks/index.ts';

const everyCheck = [...checks, ...wireChecks];

const read = (file: string) => readFileSync(new URL(`../../contract/${file}`, import.meta.url), 'utf8');

/** The headings of the interface document, without text after a colon or in parentheses. */
const sections = [...read('interface.md').matchAll(/^#+ ([^:(\n]+)/gm)].map(([, title = '']) => title.trim());

/** The first column of the tables of decisions, without code marks. */
const [, tables = ''] = read('README.md').split('## Where the interface document is silent');
const decisions = [...tables.matchAll(/^\| ([^|]+) \|/gm)].map(([, row = '']) =>
  row.replaceAll('`', '').trim(),
);

/** The places that the checks cite, without the details in parentheses. */
const places = everyCheck.flatMap(({ cites }) =>
  cites.split('; ').map((cite) => cite.replace(/ \(.*\)$/, '')),
);
const citedIn = (document: string) =>
  places.filter((place) => place.startsWith(document)).map((place) => place.slice(document.length));

test('Each check has a name of its own', () => {
  expect(new Set(everyCheck.map(({ name }) => name)).size).toBe(everyCheck.length);
});

test('Each check cites the interface document, a decision of the contract or a standard', () => {
  for (const place of places)
    expect(place).toMatch(/^(?:interface|decision): |^RFC \d+(?: section [\d.]+)?$/);
});

test('Every section of the interface document that is cited exists', () => {
  const cited = citedIn('interface: ').map((place) => place.replace(/ \d(?: and \d)?$/, ''));
  expect(cited).not.toEqual([]);
  expect(cited.filter((section) => !sections.includes(section))).toEqual([]);
});

test('Every decision that is cited is a row of the tables in the contract’s README', () => {
  const cited = citedIn('decision: ');
  expect(cited).not.toEqual([]);
  expect(cited.filter((row) => !decisions.includes(row))).toEqual([]);
});
