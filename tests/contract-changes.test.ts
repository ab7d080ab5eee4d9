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
const LIMIT = `${LIST} parameters 0 schema`;
const CODES = `${CREATE} responses 503 content application/json examples`;
const BODY_SIZE = `${CREATE} requestBody x-max-bytes`;
const PET = 'components schemas Pet';
const NEW_PET = 'components schemas NewPet';
const FURTHER_PROPERTIES = `${NEW_PET} additionalProperties`;
const STATUSES = 'components schemas PetStatus enum';
const { Pet, PetStatus } = JSON.parse(document).components.schemas;
const LOCATION = 'components headers Location required';
const RATE_LIMIT = 'components headers RateLimit required';
const STATUS = { $ref: '#/components/schemas/PetStatus' };
const SCHEME = 'components securitySchemes bearer scheme';

const renamed = JSON.parse(document.replaceAll('{petId}', '{id}').replaceAll('"petId"', '"id"'));

/** Operations that recipes of CONTRIBUTING.md add, where they share a header or a parameter. */
const FURTHER = /(?:DELETE|PUT) [^,:]*, |, (?:DELETE|PUT|[A-Z]+ \/orders)[^,:]*/g;

/** The line that names each change, the place of the change, and its new value. */
const changes: [line: string, place: string, value: unknown][] = [
  ['major GET /pets: parameter status enum "pending" removed', STATUSES, ['available', 'sold']],
  [
    'minor POST /pets: responses 201 status enum "lost" added, which breaks an exhaustive switch',
    `${STATUSES} ${PetStatus.enum.length}`,
    'lost',
  ],
  ['major POST /pets: requestBody required "status" added', `${NEW_PET} required 2`, 'status'],
  [
    'minor POST /pets: responses 201 required "status" added',
    `${PET} required ${Pet.required.length}`,
    'status',
  ],
  ['major POST /pets: responses 201 required "categoryId" removed', `${PET} required`, ['id', 'name']],
  ['major POST /pets: responses 201 status removed', `${PET} properties status`, undefined],
  ['minor POST /pets: responses 201 age added', `${PET} properties age`, { type: 'integer' }],
  ['major POST /pets: requestBody name enumeration added', `${NEW_PET} properties name enum`, ['Rex']],
  [
    'major GET /pets: parameter status default "sold" added',
    `${LIST} parameters 1 schema`,
    { ...STATUS, default: 'sold' },
  ],
  ['major GET /pets/{petId}: requestBody added', `${GET} requestBody`, { required: true, content: {} }],
  ['major POST /pets: requestBody status removed', `${NEW_PET} properties status`, undefined],
  ['major POST /pets: requestBody additionalProperties false added', FURTHER_PROPERTIES, false],
  ['minor POST /pets: requestBody additionalProperties true added', FURTHER_PROPERTIES, true],
  ['minor POST /pets: responses 201 additionalProperties false added', `${PET} additionalProperties`, false],
  ['major POST /pets: responses 201 name type: "string" → "null"', `${PET} properties name type`, 'null'],
  ['major POST /pets: responses 201 id format: "int64" → "int32"', `${PET} properties id format`, 'int32'],
  ['major GET /pets/{petId}: responses 404 removed', `${GET} responses 404`, undefined],
  ['minor GET /pets/{petId}: responses 410 added', `${GET} responses 410`, { description: 'Gone' }],
  ['major POST /pets: responses 503 examples ids_exhausted removed', `${CODES} ids_exhausted`, undefined],
  ['minor POST /pets: responses 503 examples asleep added', `${CODES} asleep`, {}],
  ['major error codes path_not_found removed', 'components schemas ErrorCode examples', ['asleep']],
  ['major GET /pets: parameter limit maximum: 100 → 50', `${LIMIT} maximum`, 50],
  ['major POST /pets: requestBody x-max-bytes: 65536 → 1000', BODY_SIZE, 1_000],
  ['minor POST /pets: requestBody x-max-bytes: 65536 → 100000', BODY_SIZE, 100_000],
  ['major GET /pets: x-max-bytes 1000 added', `${LIST} x-max-bytes`, 1_000],
  ['minor GET /pets: parameter q added', `${LIST} parameters 5`, { name: 'q', in: 'query', schema: {} }],
  ['major GET /pets: parameter limit default: 20 → 10', `${LIMIT} default`, 10],
  ['major GET /pets/{petId}: operation removed', GET, undefined],
  ['minor DELETE /pets: operation added', 'paths /pets delete', {}],
  ['major POST /pets: responses 201 headers Location required true removed', LOCATION, undefined],
  ['minor POST /pets: responses 201 headers RateLimit required true added', RATE_LIMIT, true],
  ['major GET /pets: responses 403 added', `${LIST} responses 403`, { description: 'No' }],
  ['minor POST /pets: responses 403 removed', `${CREATE} responses 403`, undefined],
  ['major GET /pets/{petId}: x-sunset: "2030-12-05" → "2030-12-04"', `${GET} x-sunset`, '2030-12-04'],
  ['major GET /pets: operationId: "listPets" → "getPets"', `${LIST} operationId`, 'getPets'],
  ['major GET /pets: parameter limit type: "integer" → "string"', `${LIMIT} type`, 'string'],
  ['major GET /pets/{petId}: parameter petId name: "petId" → "id"', 'paths', renamed.paths],
  ['major components securitySchemes bearer scheme: "bearer" → "basic"', SCHEME, 'basic'],
  ['major security 0 bearer [] removed', 'security', [{ basic: [] }]],
  [
    'patch POST /pets: responses 201 status description: "Availability status" → "How"',
    `${PET} properties status`,
    { ...STATUS, description: 'How' },
  ],
  ['patch POST /pets: responses 201 description: "A pet of the catalogue" → ""', `${PET} description`, ''],
];

describe('the changes of a contract', () => {
  test.each(changes)('include "%s"', (line, place, value) => {
    const named = nameChanges(JSON.parse(document), edit(place, value), new Date('2030-12-04'));
    const lines = named.map(({ version, text }) => `${version} ${text.replaceAll(FURTHER, '')}`);
    expect(lines).toContain(line);
    // Lines are in descending order, so no other change needs a higher version.
    const [version] = line.split(' ');
    expect(named[0]?.version).toBe(version);
  });

  test('need a minor version if the request accepts properties that were refused', () => {
    const [refuses, accepts] = [false, {}].map((value) => edit(FURTHER_PROPERTIES, value));
    expect(nameChanges(refuses, accepts)).toMatchObject([{ version: 'minor' }]);
  });

  test('are none if only the order of a list differs', () => {
    expect(nameChanges(JSON.parse(document), edit(STATUSES, PetStatus.enum.toReversed()))).toEqual([]);
  });

  test('need a minor version for an operation that is removed after its sunset', () => {
    const named = nameChanges(JSON.parse(document), edit(GET, undefined), new Date('2030-12-05'));
    expect(named).toEqual([
      { version: 'minor', text: 'GET /pets/{petId}: operation removed after its sunset, 2030-12-05' },
    ]);
  });
});

test('contract-changes fails until a changeset asks for the version that a change since a commit needs', async () => {
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

  write(FILE, JSON.stringify(edit(`${LIMIT} maximum`, 50)));
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
