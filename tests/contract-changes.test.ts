import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@petstore/test-support/files';
import { startProgram } from '@petstore/test-support/programs';
import { describe, expect, test } from 'vitest';
import { nameChanges } from '../scripts/name-changes.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FILE = 'packages/contract/openapi.json';
const document = readFileSync(ROOT + FILE, 'utf8');

/** The document with another value at a place; `undefined` removes what is there. */
function edit(place: string, value: unknown) {
  const edited = JSON.parse(document);
  const names = place.split(' ');
  const last = names.pop() ?? '';
  const parent = names.reduce((member, name) => member[name], edited);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return edited;
}

const LIST = 'paths /pets get';
const CREATE = 'paths /pets post';
const GET = 'paths /pets/{petId} get';
const SCHEMAS = 'components schemas';

/** Each change with a line that names it. */
const changes: [what: string, place: string, value: unknown, line: string][] = [
  [
    'an enumeration value less',
    `${SCHEMAS} PetStatus enum`,
    ['available', 'sold'],
    'major GET /pets: parameter status enum "pending" removed',
  ],
  [
    'an enumeration value more',
    `${SCHEMAS} PetStatus enum`,
    ['available', 'pending', 'sold', 'lost'],
    'minor POST /pets: responses 201 status enum "lost" added, which breaks an exhaustive switch',
  ],
  [
    'a property required in a request',
    `${SCHEMAS} NewPet required`,
    ['name', 'categoryId', 'status'],
    'major POST /pets: requestBody required "status" added',
  ],
  [
    'a property required in a response',
    `${SCHEMAS} Pet required`,
    ['id', 'name', 'categoryId', 'status'],
    'minor POST /pets: responses 201 required "status" added',
  ],
  [
    'a property that a response may lack',
    `${SCHEMAS} Pet required`,
    ['id', 'name'],
    'major POST /pets: responses 201 required "categoryId" removed',
  ],
  [
    'a property of a response less',
    `${SCHEMAS} Pet properties status`,
    undefined,
    'major POST /pets: responses 201 status removed',
  ],
  [
    'a property of a response more',
    `${SCHEMAS} Pet properties age`,
    { type: 'integer' },
    'minor POST /pets: responses 201 age added',
  ],
  [
    'a property of a request less',
    `${SCHEMAS} NewPet properties status`,
    undefined,
    'major POST /pets: requestBody status removed',
  ],
  [
    'a property of a request more',
    `${SCHEMAS} NewPet properties age`,
    { type: 'integer' },
    'minor POST /pets: requestBody age added',
  ],
  [
    'another type in a response',
    `${SCHEMAS} Pet properties name type`,
    'integer',
    'major POST /pets: responses 201 name type: "string" → "integer"',
  ],
  ['a status less', `${GET} responses 404`, undefined, 'major GET /pets/{petId}: responses 404 removed'],
  [
    'a status more',
    `${GET} responses 410`,
    { description: 'Gone' },
    'minor GET /pets/{petId}: responses 410 added',
  ],
  [
    'a code of an operation less',
    `${CREATE} responses 503 content application/json examples ids_exhausted`,
    undefined,
    'major POST /pets: responses 503 examples ids_exhausted removed',
  ],
  [
    'a code of an operation more',
    `${CREATE} responses 503 content application/json examples asleep`,
    {},
    'minor POST /pets: responses 503 examples asleep added',
  ],
  ['other codes', `${SCHEMAS} ErrorCode examples`, ['asleep'], 'major error codes path_not_found removed'],
  [
    'a smaller limit',
    `${LIST} parameters 0 schema maximum`,
    50,
    'major GET /pets: parameter limit maximum: 100 → 50',
  ],
  [
    'a larger limit',
    `${LIST} parameters 0 schema maximum`,
    500,
    'minor GET /pets: parameter limit maximum: 100 → 500',
  ],
  [
    'a smaller body',
    `${CREATE} requestBody x-max-bytes`,
    1_000,
    'major POST /pets: requestBody x-max-bytes: 65536 → 1000',
  ],
  [
    'a larger body',
    `${CREATE} requestBody x-max-bytes`,
    100_000,
    'minor POST /pets: requestBody x-max-bytes: 65536 → 100000',
  ],
  [
    'an optional parameter before the others',
    `${LIST} parameters`,
    [{ name: 'kind', in: 'query', schema: {} }, ...JSON.parse(document).paths['/pets'].get.parameters],
    'minor GET /pets: parameter kind added',
  ],
  [
    'another default',
    `${LIST} parameters 0 schema default`,
    10,
    'major GET /pets: parameter limit default: 20 → 10',
  ],
  ['an operation less', GET, undefined, 'major GET /pets/{petId}: operation removed'],
  ['an operation more', 'paths /pets delete', {}, 'minor DELETE /pets: operation added'],
  [
    'a header that a response may lack',
    'components headers Location required',
    false,
    'major POST /pets: responses 201 headers Location required: true → false',
  ],
  [
    'another description',
    `${SCHEMAS} Pet description`,
    'An animal',
    'patch POST /pets: responses 201 description: "A pet of the catalogue" → "An animal"',
  ],
];

describe('the changes of a contract', () => {
  test.each(changes)('name %s', (_what, place, value, line) => {
    const named = nameChanges(JSON.parse(document), edit(place, value));
    const lines = named.map(({ version, text }) => `${version} ${text}`);
    expect(lines).toContain(line);
    // The version of the whole is that of the first line.
    expect(lines[0]).toMatch(new RegExp(`^${line.split(' ')[0]} `));
  });

  test('are none if only the order of a list differs', () => {
    expect(
      nameChanges(JSON.parse(document), edit(`${SCHEMAS} PetStatus enum`, ['sold', 'pending', 'available'])),
    ).toEqual([]);
  });

  test('need a minor version for an operation that is removed after its sunset', () => {
    const named = nameChanges(JSON.parse(document), edit(GET, undefined), new Date('2030-12-05'));
    expect(named).toEqual([
      { version: 'minor', text: 'GET /pets/{petId}: operation removed after its sunset, 2030-12-05' },
    ]);
  });
});

describe('contract-changes', () => {
  test('fails until a changeset asks for the version that a change since a commit needs', async () => {
    await using folder = await temporaryFolder();
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example', ...args], {
        cwd: folder.path,
      });
    const write = (file: string, text: string) => {
      mkdirSync(dirname(folder.file(file)), { recursive: true });
      writeFileSync(folder.file(file), text);
    };
    const run = (...args: string[]) =>
      startProgram([`${ROOT}scripts/contract-changes.ts`, ...args], { cwd: folder.path }).ended;
    write(FILE, document);
    write('.changeset/one.md', "---\n'@petstore/contract': minor\n---\n\nOne.\n");
    git('init', '--initial-branch=main');
    git('add', '.');
    git('commit', '--message=first');
    expect(await run()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^The contract is as it was in [0-9a-f]{40}\.\n$/),
    });

    write(FILE, JSON.stringify(edit(`${LIST} parameters 0 schema maximum`, 50)));
    expect(await run('main')).toEqual({
      code: 1,
      stdout: 'major  GET /pets: parameter limit maximum: 100 → 50\n',
      stderr: 'The contract needs a major version: run "pnpm changeset", and choose major.\n',
    });

    write('.changeset/two.md', "---\n'@petstore/contract': major\n---\n\nTwo.\n");
    expect(await run()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\nA changeset asks for a major version\.\n$/),
    });
    expect(await run('no-such-commit')).toMatchObject({
      code: 1,
      stderr: `There is no ${FILE} in no-such-commit\n`,
    });
  });
});
