import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { temporaryDatabase } from '@petstore/test-support/databases/databases';
import { temporaryFolder } from '@petstore/test-support/files';
import { FIXED_KEY, type ServerProcess, startServer } from '@petstore/test-support/servers/server-process';
import { expect } from 'vitest';
import type { Workspace } from './workspace.ts';

/** A property of a pet that a recipe has added. */
interface Field {
  name: string;
  value: string | number;
  /** What a pet has that was added without it. */
  leftOut: string | undefined;
}

/** Expects the field in the API, the client, CSV, the catalogue, a copy of the database and the conformance suite. */
export async function expectField(workspace: Workspace, field: Field): Promise<void> {
  await using folder = await temporaryFolder();
  await using database = await temporaryDatabase('sqlite');
  await using server = await startBuilt(workspace, database.url);
  const pets = await expectInApi(server, field);
  await expectInDescriptions(workspace, server, field);
  await expectInCsv(workspace, server, { pets, file: folder.file('pets.csv') });

  const target = `sqlite:${folder.file('copy.db')}`;
  await runBuilt(workspace, 'apps/server/dist/cli.js', 'copy', '--from', database.url, '--to', target);
  await using copied = await startBuilt(workspace, target);
  expect((await request(copied, 'GET', '/pets')).body).toEqual(pets);

  await expectInCatalogue(workspace, copied, field);
  expect(await runConformance(workspace, copied)).toContain(`ok   A ${field.name} that is left out`);
}

/** @returns the pets that were added */
async function expectInApi(server: ServerProcess, { name, value, leftOut }: Field): Promise<unknown[]> {
  const create = (pet: object) => request(server, 'POST', '/pets', pet, { 'idempotency-key': 'one' });
  const full = { name: 'Luna', categoryId: 7, status: 'available', [name]: value };
  const created = await create(full);
  expect(created.body).toEqual({ id: 1, ...full });
  const repeated = await create(full);
  expect(repeated.headers.get('idempotency-replayed')).toBe('true');
  expect(repeated.body).toEqual(created.body);
  expect((await create({ ...full, [name]: undefined })).status).toBe(422);

  const short = { name: 'Rex', categoryId: 3 };
  const minimal = { id: 2, ...short, ...(leftOut !== undefined && { [name]: leftOut }) };
  expect((await request(server, 'POST', '/pets', short)).body).toEqual(minimal);
  expect((await request(server, 'GET', '/pets/2')).body).toEqual(minimal);
  expect((await request(server, 'POST', '/pets', { ...full, [name]: null })).status).toBe(400);
  const pets = [created.body, minimal];
  expect((await request(server, 'GET', '/pets')).body).toEqual(pets);
  return pets;
}

async function expectInDescriptions(workspace: Workspace, server: ServerProcess, { name, leftOut }: Field) {
  const document = await (await fetch(`${server.origin}/openapi.json`)).json();
  expect(document).toHaveProperty(['components', 'schemas', 'NewPet', 'properties', name]);
  const required =
    leftOut === undefined ? expect.not.arrayContaining([name]) : expect.arrayContaining([name]);
  expect(document).toHaveProperty(['components', 'schemas', 'Pet', 'required'], required);
  const types = readFileSync(workspace.file('packages/client/src/contract.ts'), 'utf8');
  expect(types).toMatch(new RegExp(`interface Pet \\{[^}]* ${name}\\??: `));
}

/** Exports the pets, and imports them into another service. */
async function expectInCsv(
  workspace: Workspace,
  server: ServerProcess,
  { pets, file }: { pets: unknown[]; file: string },
) {
  const cli = 'apps/cli/dist/cli.js';
  await runBuilt(workspace, cli, 'export', '--output', file, '--base-url', server.baseUrl);
  await using other = await startBuilt(workspace, `sqlite:${file}.db`);
  await runBuilt(workspace, cli, 'import', file, '--base-url', other.baseUrl);
  expect((await request(other, 'GET', '/pets')).body).toEqual(pets);
}

/** Fills in the form of the catalogue, and looks at the page that it leads to. */
async function expectInCatalogue(workspace: Workspace, server: ServerProcess, { name, value }: Field) {
  // The catalogue logs its address as the server does.
  await using catalogue = await startServer(
    { PETSTORE_BASE_URL: server.baseUrl, PETSTORE_API_KEY: FIXED_KEY, NODE_ENV: 'development' },
    { cli: workspace.file('apps/catalogue/dist/cli.js') },
  );
  const form = `${catalogue.origin}/animals/new?key=form`;
  expect(await (await fetch(form)).text()).toContain(`name="${name}"`);
  const body = new URLSearchParams({ name: 'Filled in', categoryId: '7', [name]: `${value}` });
  const added = await fetch(form, { method: 'POST', body, headers: { 'sec-fetch-site': 'same-origin' } });
  expect(await added.text()).toContain(`${value}</dd>`);
}

/** countPets counts. */
export async function expectEndpoint(workspace: Workspace): Promise<void> {
  await using database = await temporaryDatabase('sqlite');
  await using server = await startBuilt(workspace, database.url);
  await request(server, 'POST', '/pets', { name: 'Rex', categoryId: 3 });
  expect(await request(server, 'GET', '/pet-count')).toMatchObject({ status: 200, body: { count: 1 } });
  expect(await runConformance(workspace, server)).toContain('ok   countPets counts');
}

/** A shelter is listed, also by a copy of the database. */
export async function expectResource(workspace: Workspace): Promise<void> {
  await using folder = await temporaryFolder();
  await using database = await temporaryDatabase('sqlite');
  await using server = await startBuilt(workspace, database.url);
  await database.run(`insert into shelters (name) values ('Riverside')`);
  const listed = { status: 200, body: [{ id: 1, name: 'Riverside' }] };
  expect(await request(server, 'GET', '/shelters')).toMatchObject(listed);
  expect(await runConformance(workspace, server)).toContain('ok   listShelters returns');

  const target = `sqlite:${folder.file('copy.db')}`;
  await runBuilt(workspace, 'apps/server/dist/cli.js', 'copy', '--from', database.url, '--to', target);
  await using copied = await startBuilt(workspace, target);
  expect(await request(copied, 'GET', '/shelters')).toMatchObject(listed);
}

/** getPet returns the new code for the id 0. */
export async function expectErrorCode(workspace: Workspace): Promise<void> {
  await using database = await temporaryDatabase('sqlite');
  await using server = await startBuilt(workspace, database.url);
  const refused = { status: 410, body: { code: 'pet_gone', status: 410 } };
  expect(await request(server, 'GET', '/pets/0')).toMatchObject(refused);
  expect(await (await fetch(`${server.origin}/openapi.json`)).text()).toContain('"pet_gone"');
}

/** Starts the server that was built in the copy. */
const startBuilt = (workspace: Workspace, database: string) =>
  startServer({ DATABASE_URL: database }, { cli: workspace.file('apps/server/dist/cli.js') });

/** Runs a command that was built in the copy. @throws when it fails */
async function runBuilt(workspace: Workspace, cli: string, ...args: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, PETSTORE_API_KEY: FIXED_KEY, XDG_CONFIG_HOME: '/nonexistent' };
  const { stdout } = await promisify(execFile)(process.execPath, [workspace.file(cli), ...args], { env });
  return stdout;
}

const runConformance = (workspace: Workspace, { baseUrl }: ServerProcess) =>
  runBuilt(workspace, 'packages/conformance/dist/cli.js', '--base-url', baseUrl);

async function request(
  { baseUrl }: ServerProcess,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
) {
  const response = await fetch(baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${FIXED_KEY}`, 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const received: unknown = await response.json();
  return { status: response.status, headers: response.headers, body: received };
}
