import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { covers, describeChanges, highestLevel } from '../scripts/compatibility/changes.ts';
import { compareDocuments } from '../scripts/compatibility/document-changes.ts';
import { objectOf } from '../scripts/compatibility/json.ts';
import { files, readText, releasedVersion } from '../scripts/compatibility/last-release.ts';
import { compareTypes } from '../scripts/compatibility/type-changes.ts';

const document = JSON.parse(readText(files.document.now));

/** The value at a path of member names. */
const at = (value: unknown, path: string) =>
  path.split(' ').reduce<unknown>((inner, name) => objectOf(inner)[name], value);

/** A copy of the document with a value set at a path of member names, or removed there. */
function withValue(path: string, value?: unknown): unknown {
  const copy = structuredClone(document);
  const names = path.split(' ');
  const last = names.pop() ?? '';
  const parent: unknown = names.reduce((inner, name) => inner[name], copy);
  if (value === undefined) Reflect.deleteProperty(Object(parent), last);
  else Reflect.set(Object(parent), last, value);
  return copy;
}

const levelOf = (changed: unknown, before: unknown = document, today = new Date('2026-11-21')) =>
  highestLevel(compareDocuments(before, changed, today));

const NEW_PET = 'components schemas NewPet';
const PET = 'components schemas Pet';
const LIMIT = 'paths /pets get parameters 0';
const text = { type: 'string' };

describe('compareDocuments finds that a release is breaking when', () => {
  test.each([
    ['an operation is removed', withValue('paths /pets post')],
    ['a parameter is removed', withValue('paths /pets get parameters', [])],
    ['a parameter becomes required', withValue(`${LIMIT} required`, true)],
    ['a parameter allows fewer values', withValue(`${LIMIT} schema maximum`, 50)],
    ['the default of a parameter changes', withValue(`${LIMIT} schema default`, 50)],
    ['a property of a request is removed', withValue(`${NEW_PET} properties status`)],
    [
      'a property of a request becomes required',
      withValue(`${NEW_PET} required`, ['name', 'categoryId', 'status']),
    ],
    ['a property of a response is removed', withValue(`${PET} properties categoryId`)],
    ['a property of a response is no longer required', withValue(`${PET} required`, ['id', 'name'])],
    ['a property has another type', withValue(`${PET} properties categoryId`, text)],
    [
      'a value is removed that requests may have',
      withValue('components schemas PetStatus enum', ['available']),
    ],
    [
      'a value is added that responses may have',
      withValue('components schemas PetStatus enum', ['available', 'pending', 'sold', 'lost']),
    ],
    ['an error code is removed', withValue('components schemas ErrorCode examples', ['pet_not_found'])],
    ['a page has more pets', withValue('components schemas Pets maxItems', 200)],
    [
      'the status of a success changes',
      withValue('paths /pets post responses', { 200: at(document, 'paths /pets post responses 201') }),
    ],
    ['a header is no longer always present', withValue('components headers ETag required', false)],
    ['authentication changes', withValue('security', [])],
  ])('%s', (_what, changed) => {
    expect(levelOf(changed)).toBe('major');
  });
});

describe('compareDocuments finds that a release is an addition when', () => {
  test.each([
    ['an operation is added', withValue('paths /orders', { get: at(document, 'paths /pets get') })],
    ['an optional property is added', withValue(`${NEW_PET} properties colour`, text)],
    ['a response has another property', withValue(`${PET} properties colour`, text)],
    ['a parameter allows more values', withValue(`${LIMIT} schema maximum`, 200)],
    [
      'an error code is added',
      withValue('components schemas ErrorCode examples', [
        ...Object(at(document, 'components schemas ErrorCode examples')),
        'teapot',
      ]),
    ],
    [
      'an error response is added',
      withValue('paths /pets get responses 418', { description: "I'm a teapot" }),
    ],
    ['an operation becomes deprecated', withValue('paths /pets get deprecated', true)],
    ['a response header is added', withValue('paths /pets get responses 200 headers X-Teapot', {})],
  ])('%s', (_what, changed) => {
    expect(levelOf(changed)).toBe('minor');
  });
});

test('compareDocuments finds that a release is a fix when only descriptions change', () => {
  expect(levelOf(withValue('info description', 'A pet store'))).toBe('patch');
  expect(levelOf(withValue(`${NEW_PET} properties name description`, 'The name'))).toBe('patch');
});

test('compareDocuments finds nothing in equal documents, whatever the order of their members', () => {
  const reversed = Object.fromEntries(Object.entries(document).toReversed());
  expect(compareDocuments(document, reversed, new Date())).toEqual([]);
});

test('compareDocuments expects the removal of a deprecated operation once its sunset date is past', () => {
  const removed = withValue('paths /pets/{petId}');
  expect(levelOf(removed, document, new Date('2030-12-04'))).toBe('major');
  expect(levelOf(removed, document, new Date('2030-12-05'))).toBe('minor');
});

describe('compareDocuments says in words that', () => {
  const required = ['name', 'categoryId', 'status'];
  test.each([
    ['major', 'name may no longer be longer than 50', withValue(`${NEW_PET} properties name maxLength`, 50)],
    ['minor', 'limit may now be above 100, up to 200', withValue(`${LIMIT} schema maximum`, 200)],
    ['minor', 'limit may now be above 100', withValue(`${LIMIT} schema maximum`)],
    ['major', 'limit may no longer be below 5', withValue(`${LIMIT} schema minimum`, 5)],
    ['major', 'status is now required', withValue(`${NEW_PET} required`, required)],
    ['minor', 'status is now always present', withValue(`${PET} required`, ['id', ...required])],
    ['major', 'status may now be lost', withValue('components schemas PetStatus enum 3', 'lost')],
    [
      'major',
      'categoryId has another type: "string" in place of "integer"',
      withValue(`${PET} properties categoryId`, text),
    ],
    ['minor', 'GET /pets is now deprecated', withValue('paths /pets get deprecated', true)],
  ])('%s: %s', (level, what, changed) => {
    const changes = compareDocuments(document, changed, new Date());
    expect(describeChanges(changes)).toEqual([expect.stringMatching(`^${level} ${what} \\(`)]);
  });
});

test('a change is described once, with the places where it has its greatest effect', () => {
  const longer = withValue('components schemas PetStatus enum', ['available', 'pending', 'sold', 'lost']);
  expect(describeChanges(compareDocuments(document, longer, new Date()))).toEqual([
    'major status may now be lost (the response 200 of GET /pets, and 2 more)',
  ]);
});

test('the changes that need the greatest version are described first', () => {
  const changes = [
    { level: 'minor', what: 'an addition', where: 'here' },
    { level: 'major', what: 'a removal', where: 'there' },
  ] as const;
  expect(describeChanges(changes)).toEqual(['major a removal (there)', 'minor an addition (here)']);
});

test('the command says first which version is needed', () => {
  const { stdout, status } = spawnSync(process.execPath, ['scripts/compatibility.ts', '--static'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    encoding: 'utf8',
  });
  expect(stdout).toMatch(/^The (contract is that of|changes since) version \d/);
  expect(status).toBeLessThan(2);
});

describe('compareTypes', () => {
  const types = readText(files.types.released);

  test.each([
    ['nothing', 'none', (source: string) => source],
    [
      'a required property',
      'major',
      (source: string) => source.replace('  name: string;\n', '  name: string;\n  colour: string;\n'),
    ],
    ['another name of a property', 'major', (source: string) => source.replaceAll('categoryId', 'category')],
    [
      'another name of an operation',
      'major',
      (source: string) => source.replace(/^ {2}getPet:/m, '  getCat:'),
    ],
    ['a status of a pet', 'major', (source: string) => source.replace("'sold';", "'sold' | 'lost';")],
    [
      'a query with another type',
      'minor',
      (source: string) => source.replace('  limit?: number |', '  limit?: number | string |'),
    ],
  ])('finds that %s is %s', (_what, level, change) => {
    expect(highestLevel(compareTypes(types, change(types)))).toBe(level);
  });
});

test('the last release that is recorded is one of the contract', () => {
  expect(releasedVersion()).toMatch(/^\d+\.\d+\.\d+$/);
  const released = JSON.parse(readText(files.document.released));
  expect(compareDocuments(released, released, new Date())).toEqual([]);
});

test('a version may contain what a lower one may contain', () => {
  expect(covers('major', 'minor')).toBe(true);
  expect(covers('minor', 'minor')).toBe(true);
  expect(covers('patch', 'minor')).toBe(false);
  expect(covers('none', 'patch')).toBe(false);
});
