import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '@petstore/test-support/files';
import { startProgram } from '@petstore/test-support/programs';
import { describe, expect, test } from 'vitest';
import { listChanges } from '../scripts/list-changes.ts';

const ROOT = join(import.meta.dirname, '..');
const FILE = 'packages/contract/openapi.json';
const contract = JSON.parse(readFileSync(join(ROOT, FILE), 'utf8'));
const { parameters } = contract.paths['/pets'].get;
const indexOf = (name: string) => parameters.findIndex((one: { name: string }) => one.name === name);
// Shares one parameter, and adds a constant: the contract itself has neither.
const [limit] = parameters.splice(indexOf('limit'), 1, { $ref: '#/components/parameters/limit' });
contract.components.parameters = { limit };
contract.components.schemas.Pet.properties.kind = { const: 'pet' };
const document = JSON.stringify(contract);

/** The document with another value at a place. `undefined` removes the member, and `-` is the end of an array. */
function edit(place: string, value: unknown) {
  const edited = JSON.parse(document);
  const names = place.split(' ');
  const last = names.pop() ?? '';
  const parent = names.reduce((member, name) => member[name], edited);
  if (value === undefined) delete parent[last];
  else if (last === '-') parent.push(value);
  else parent[last] = value;
  return edited;
}

const LIST = 'paths /pets get';
const CREATE = 'paths /pets post';
const GET = 'paths /pets/{petId} get';
const LIMIT = 'components parameters limit schema';
const STATUS = `${LIST} parameters ${indexOf('status')} schema`;
const CODES = `${CREATE} responses 503 content application/json examples`;
const PAGE = `${LIST} responses 200 content application/json schema`;
const PET = 'components schemas Pet';
const NEW_PET = 'components schemas NewPet';
const FURTHER_PROPERTIES = `${NEW_PET} additionalProperties`;
const STATUSES = 'components schemas PetStatus enum';
const HEADERS = 'components headers';
const SCHEME = 'components securitySchemes bearer scheme';

const { 'x-sunset': SUNSET } = JSON.parse(document).paths['/pets/{petId}'].get;
const renamed = JSON.parse(document.replaceAll('{petId}', '{id}').replaceAll('"petId"', '"id"'));

/** Changes, each as the line that names it (without its operations), its place in the document, and the new value. */
const changes: [line: string, place: string, value: unknown][] = [
  ['major parameter status enum "pending" removed', STATUSES, ['available', 'sold']],
  ['minor responses 201 status enum "ill" added, which breaks an exhaustive switch', `${STATUSES} -`, 'ill'],
  ['major requestBody required "status" added', `${NEW_PET} required -`, 'status'],
  ['major responses 201 required "categoryId" removed', `${PET} required`, ['id', 'name']],
  ['major responses 201 status enumeration removed', `${PET} properties status`, { type: 'string' }],
  ['major responses 201 status removed', `${PET} properties status`, undefined],
  ['minor responses 201 age added', `${PET} properties age`, { type: 'integer' }],
  ['major requestBody name enumeration added', `${NEW_PET} properties name enum`, ['Rex']],
  ['major parameter status default "sold" added', `${STATUS} default`, 'sold'],
  ['major requestBody added', `${GET} requestBody`, { required: true, content: {} }],
  ['major requestBody additionalProperties false added', FURTHER_PROPERTIES, false],
  ['minor requestBody additionalProperties true added', FURTHER_PROPERTIES, true],
  ['minor responses 201 additionalProperties false added', `${PET} additionalProperties`, false],
  ['major responses 201 id format: "int64" → "int32"', `${PET} properties id format`, 'int32'],
  ['major responses 201 kind const: "pet" → "animal"', `${PET} properties kind const`, 'animal'],
  ['major responses 404 removed', `${GET} responses 404`, undefined],
  ['minor responses 410 added', `${GET} responses 410`, { description: 'Gone' }],
  ['major responses 503 examples ids_exhausted removed', `${CODES} ids_exhausted`, undefined],
  ['minor responses 503 examples asleep added', `${CODES} asleep`, {}],
  ['major error codes path_not_found removed', 'components schemas ErrorCode examples', ['asleep']],
  ['major requestBody x-max-bytes: 65536 → 1000', `${CREATE} requestBody x-max-bytes`, 1_000],
  ['minor requestBody x-max-bytes: 65536 → 100000', `${CREATE} requestBody x-max-bytes`, 100_000],
  ['major x-max-bytes 1000 added', `${LIST} x-max-bytes`, 1_000],
  ['minor parameter q added', `${LIST} parameters -`, { name: 'q', in: 'query', schema: {} }],
  ['major parameter limit default: 20 → 10', `${LIMIT} default`, 10],
  ['major responses 200 type: "array" → "object"', PAGE, { type: 'object' }],
  ['major operation removed', GET, undefined],
  ['minor operation added', 'paths /pets delete', {}],
  ['major responses 201 headers Location required true removed', `${HEADERS} Location required`, undefined],
  ['minor responses 201 headers RateLimit required true added', `${HEADERS} RateLimit required`, true],
  ['major responses 403 added', `${LIST} responses 403`, { description: 'The API key may only read' }],
  ['minor responses 403 removed', `${CREATE} responses 403`, undefined],
  [`major x-sunset: "${SUNSET}" → "2000-01-01"`, `${GET} x-sunset`, '2000-01-01'],
  ['major operationId: "listPets" → "getPets"', `${LIST} operationId`, 'getPets'],
  ['major parameter limit type: "integer" → "string"', `${LIMIT} type`, 'string'],
  ['major parameter petId name: "petId" → "id"', 'paths', renamed.paths],
  ['major components securitySchemes bearer scheme: "bearer" → "basic"', SCHEME, 'basic'],
  ['major security 0 bearer [] removed', 'security', [{ basic: [] }]],
  ['major security [{"bearer":[]}] removed', 'security', undefined],
  ['patch responses 201 description: "A pet of the catalogue" → ""', `${PET} description`, ''],
];

describe('the changes of a contract', () => {
  test.each(changes)('include "%s"', (line, place, value) => {
    const listed = listChanges(JSON.parse(document), edit(place, value), new Date(0));
    // Without the operations: a recipe's patch may add one that has the same change.
    const lines = listed.map(({ version, text }) => `${version} ${text.replace(/^[A-Z]+ [^:]*: /, '')}`);
    expect(lines).toContain(line);
    // Lines are in descending order, so no other change needs a higher version.
    expect(listed[0]?.version).toBe(line.split(' ')[0]);
  });

  test('need a minor version if the request accepts properties that were refused', () => {
    const [refuses, accepts] = [false, {}].map((value) => edit(FURTHER_PROPERTIES, value));
    expect(listChanges(refuses, accepts)).toMatchObject([{ version: 'minor' }]);
  });

  test('need a minor version for a property with a default, which every response has', () => {
    const after = edit(`${PET} properties size`, { type: 'string', default: 'medium' });
    after.components.schemas.Pet.required.push('size');
    expect(listChanges(JSON.parse(document), after)[0]).toMatchObject({ version: 'minor' });
  });

  test('are none if only the order of a list differs', () => {
    const { PetStatus } = JSON.parse(document).components.schemas;
    expect(listChanges(JSON.parse(document), edit(STATUSES, PetStatus.enum.toReversed()))).toEqual([]);
  });

  test('need a minor version for an operation that is removed on the day of its sunset', () => {
    const listed = listChanges(JSON.parse(document), edit(GET, undefined), new Date(SUNSET));
    const text = `GET /pets/{petId}: operation removed after its sunset, ${SUNSET}`;
    expect(listed).toEqual([{ version: 'minor', text }]);
  });
});

test('contract-changes fails until a changeset asks for the version that a change since a commit needs', async () => {
  await using folder = await temporaryFolder();
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@example'];
  const git = (...args: string[]) => execFileSync('git', [...author, ...args], { cwd: folder.path });
  const write = (file: string, text: string) => {
    mkdirSync(dirname(folder.file(file)), { recursive: true });
    writeFileSync(folder.file(file), text);
  };
  const run = (...args: string[]) =>
    startProgram([`${ROOT}/scripts/contract-changes.ts`, ...args], { cwd: folder.path }).ended;
  write(FILE, document);
  write('.changeset/one.md', "---\n'@petstore/contract': minor\n---\n\nOne.\n");
  git('init', '--initial-branch=main');
  git('add', '.');
  git('commit', '--message=first');
  const unchanged = expect.stringMatching(/^The contract is as it was in [0-9a-f]{40}\.\n$/);
  expect(await run()).toMatchObject({ code: 0, stdout: unchanged });

  write(FILE, JSON.stringify(edit(`${LIMIT} maximum`, 50)));
  const stdout = 'major  GET /pets: parameter limit maximum: 100 → 50\n';
  const stderr = 'The contract needs a major version: run "pnpm changeset", and choose major.\n';
  expect(await run('main')).toEqual({ code: 1, stdout, stderr });

  write('.changeset/two.md', "---\n'@petstore/contract': major\n---\n\nTwo.\n");
  const accepted = expect.stringMatching(/\nA changeset asks for a major version\.\n$/);
  expect(await run()).toMatchObject({ code: 0, stdout: accepted });
  const missing = `There is no ${FILE} in no-such-commit\n`;
  expect(await run('no-such-commit')).toMatchObject({ code: 1, stderr: missing });
});
