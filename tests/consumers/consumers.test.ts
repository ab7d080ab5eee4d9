import { temporaryFolder } from '@petstore/test-support/files';
import { withStore } from '@petstore/test-support/readme';
import { findFreePort } from '@petstore/test-support/servers/free-port';
import { FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import { afterAll, expect, test } from 'vitest';
import { createApp, installLines, packAll, readSnippets, readText } from './app.ts';

const resources = new AsyncDisposableStack();
const tarballs = await packAll(resources.use(await temporaryFolder()));
const { baseUrl } = resources.use(await startServer());
const variables = { PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: FIXED_KEY };
afterAll(() => resources.disposeAsync());

const contractReadme = readText('packages/contract/README.md');
const clientReadme = readText('packages/client/README.md');
const [contractPackages = [], expressPackages = []] = installLines(contractReadme);
const [server = '', client = ''] = readSnippets(contractReadme, 'With ts-rest');
const [, printed = ''] = /console\.log\(.*\/\/ (.*)$/m.exec(client) ?? [];

test.each(['npm', 'pnpm', 'yarn'] as const)(
  'an app that %s installed as the README says serves the contract with Express, and calls it with exact integers',
  async (manager) => {
    await using app = await createApp(tarballs, manager);
    await app.install(...contractPackages, ...expressPackages, '@petstore/client', '@types/express@5');
    const port = await findFreePort();
    for (const [name, code] of Object.entries({ server, client }))
      await app.write(`${name}.ts`, code.replaceAll('3000', `${port}`).replace('pst_…', 'pst_test'));
    expect(await app.compile()).toBe('');
    await app.write('main.ts', `import './server.ts'; import './client.ts'; process.exit();`);
    expect(await app.run('node', 'main.ts')).toBe(`${printed}\n`);
  },
);

test('npm refuses another version of ts-rest and names the version that the contract needs', async () => {
  await using app = await createApp(tarballs);
  const mistake = app.install('@petstore/contract', 'zod', '@ts-rest/core');
  await expect(mistake).rejects.toThrow(/peer @ts-rest\/core@"\^3\.53\.0-rc\.1" from @petstore\/contract/);
});

test.each(['3', '4.0'])(
  'the types of the client compile in an app with zod %s, with skipLibCheck: false, also in its declarations',
  async (zod) => {
    await using app = await createApp(tarballs);
    await app.install('@petstore/client', `zod@${zod}`);
    const code = `import { createPetStore, type Pet } from '@petstore/client';
     import { petStoreFetcher } from '@petstore/client/ts-rest';
     const store = createPetStore({ baseUrl: 'https://pets.example/v1', apiKey: 'pst_secret' });
     export const added: Promise<Pet> = store.createPet({ name: 'a', categoryId: 1n });
     // @ts-expect-error a name is required
     store.createPet({ categoryId: 1 });
     export const { safe, withResponse } = store;
     export const found = safe.listPets().then((response) => response.status === 200 && response);
     export const api = petStoreFetcher({ apiKey: 'pst_secret' });
     export const fetcherOf = (options: Parameters<typeof petStoreFetcher>[0]) => options;
     // @ts-expect-error an id is no string
     export const id: Promise<string> = store.createPet({ name: 'a', categoryId: 1 }).then((pet) => pet.id);
    `;
    await app.write('right.ts', code);
    const snippets = ['Use', 'Errors', 'Pagination'].flatMap((title) => readSnippets(clientReadme, title));
    for (const [index, snippet] of snippets.map(withStore).entries())
      await app.write(`snippet-${index}.ts`, snippet);
    expect(await app.compile({ skipLibCheck: false })).toBe('');
  },
);

test('an app can use the types and the command of the suite with Yarn, which installs no peers', async () => {
  await using app = await createApp(tarballs, 'yarn', variables);
  await app.install('@petstore/contract', '@petstore/conformance');
  const code = `import { checks } from '@petstore/conformance';
    export const names: string[] = checks.map(({ name }) => name);
    // @ts-expect-error a name is no number
    export const numbers: number[] = checks.map(({ name }) => name);
  `;
  await app.write('checks.ts', code);
  expect(await app.compile()).toBe('');
  expect(await app.run('npx', 'petstore-conformance', '--base-url', baseUrl)).toContain(' passed');
});

test('Jest 30 runs tests with the client as the README says', async () => {
  await using app = await createApp(tarballs);
  const [, option = 'none'] = /\*\*Jest\*\* 30 needs `NODE_OPTIONS=(\S+)`/.exec(clientReadme) ?? [];
  await app.install('jest@30', '@petstore/client', ...contractPackages);
  const [snippet = ''] = readSnippets(clientReadme, 'Tests without a server');
  // Each `console.log` of the snippet becomes an expectation.
  const code = snippet.replaceAll(/console\.log\((.*)\); \/\/ (.*)$/gm, "expect(String($1)).toBe('$2');");
  const [imports = '', ...statements] = code.split('\n\n');
  const suite = `${imports}\ntest('the snippet', async () => {\n${statements.join('\n')}\n});\n`;
  await app.write('pets.test.mjs', suite);
  await app.run('env', `NODE_OPTIONS=${option}`, 'npx', 'jest', '--testMatch', '**/*.test.mjs');
});

const catalog = readText('pnpm-workspace.yaml');
/** A package with the version that the catalog names. */
const pinned = (name: string) => `${name}@${new RegExp(`^ +"?${name}"?: (.*)$`, 'm').exec(catalog)?.[1]}`;

/** The command that generates modules, and the code of an app that imports them. */
const generators: [generator: string, packages: string[], command: string[], calls: string][] = [
  [
    'openapi-typescript and openapi-fetch',
    ['openapi-typescript', 'openapi-fetch'],
    ['openapi-typescript', 'openapi.json', '-o', 'schema.d.ts'],
    `import createClient from 'openapi-fetch';
import type { paths } from './schema.js';
const { PETSTORE_BASE_URL: baseUrl = '', PETSTORE_API_KEY: key } = process.env;
const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${key}\` } });
const added = await client.POST('/pets', { body: { name: 'Ada', categoryId: 7 } });
const failed = await client.GET('/pets', { params: { query: { limit: 500 } } });`,
  ],
  [
    'hey-api',
    ['@hey-api/openapi-ts'],
    ['openapi-ts', '-i', 'openapi.json', '-o', 'generated', '-c', '@hey-api/client-fetch'],
    `import { client } from './generated/client.gen.js';
import { createPet, listPets } from './generated/index.js';
const { PETSTORE_BASE_URL: baseUrl = '', PETSTORE_API_KEY: auth = '' } = process.env;
client.setConfig({ baseUrl, auth });
const added = await createPet({ body: { name: 'Ada', categoryId: 7 } });
const failed = await listPets({ query: { limit: 500 } });`,
  ],
];

test.each(generators)(
  'code that %s generates from openapi.json compiles, and calls the service',
  async (_generator, packages, command, calls) => {
    await using app = await createApp(tarballs, 'npm', variables);
    await app.install(...packages.map(pinned), 'typescript@5.9', '@types/node@24');
    await app.write('openapi.json', readText('packages/contract/openapi.json'));
    const print = `console.log(added.data?.id satisfies number | undefined, added.data?.name, failed.error?.code);`;
    await app.write('app.ts', `${calls}\n${print}`);
    const output = { target: 'es2022', module: 'nodenext', outDir: 'dist' };
    const compilerOptions = { strict: true, skipLibCheck: true, ...output };
    // Otherwise hey-api would read the configuration of a folder above.
    await app.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['app.ts'] }));
    await app.run('npx', ...command);
    await app.run('npx', 'tsc');
    expect(await app.run('node', 'dist/app.js')).toMatch(/^\d+ Ada invalid_parameter\n$/);
  },
);

const NODE = 'node_modules/node/bin/node';

test.each([
  ['node@22.12.0', NODE],
  ['node@latest', NODE],
  ['bun@latest', 'node_modules/.bin/bun'],
  ['deno@latest', 'node_modules/.bin/deno', 'run', '--allow-all', '--node-modules-dir=manual'],
] as const)('the client runs on %s', async (runtime, command, ...args) => {
  await using app = await createApp(tarballs, 'npm', variables);
  await app.install('@petstore/client', runtime);
  await app.write('use-client.mjs', readText('tests/consumers/use-client.mjs'));
  expect(await app.run(command, ...args, 'use-client.mjs')).toBe('right\n');
});
