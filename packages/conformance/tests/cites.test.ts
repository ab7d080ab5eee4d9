import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checks, scopeChecks, wireChecks } from '../src/checks/index.ts';

const everyCheck = [...checks, ...wireChecks, ...scopeChecks];

const read = (file: string) => readFileSync(new URL(`../../contract/${file}`, import.meta.url), 'utf8');

/** The headings of the interface document, as in `getPet` for `### getPet: GET /pets/{petId} (deprecated)`. */
function findSections(): string[] {
  const headings = read('interface.md').matchAll(/^#+ ([^:(\n]+)/gm);
  return Array.from(headings, ([, heading = '']) => heading.trim());
}

/** The first column of the tables of decisions in the contract's README, without code marks. */
function findDecisions(): string[] {
  const [, tables = ''] = read('README.md').split('## Where the interface document is silent');
  const rows = tables.matchAll(/^\| ([^|]+) \|/gm);
  return Array.from(rows, ([, question = '']) => question.replaceAll('`', '').trim());
}

/** What a check cites, each without the detail in parentheses: `['decision: 401', 'RFC 6750 section 3.1']`. */
const citationsOf = (cites: string) => cites.split('; ').map((citation) => citation.replace(/ \(.*\)$/, ''));

test('Each check has a name of its own', () => {
  expect(new Set(everyCheck.map(({ name }) => name)).size).toBe(everyCheck.length);
});

describe('Each citation names what exists:', () => {
  const sections = findSections();
  const decisions = findDecisions();

  test.each([...new Set(everyCheck.flatMap(({ cites }) => citationsOf(cites)))])('%s', (citation) => {
    const [source = '', place = ''] = citation.split(': ');
    // As in "Authentication 1 and 3".
    if (source === 'interface') expect(sections).toContain(place.replace(/ \d(?: and \d)?$/, ''));
    else if (source === 'decision')
      expect(decisions, 'a row of packages/contract/README.md').toContain(place);
    else expect(citation).toMatch(/^RFC \d+ section [\d.]+$|^RFC \d+$/);
  });
});

test('A check that cites the interface document cites nothing else, since a foreign service must pass it', () => {
  const mixed = everyCheck.filter(({ cites }) => cites.startsWith('interface: ') && cites.includes('; '));
  expect(mixed).toEqual([]);
});
