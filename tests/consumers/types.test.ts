import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type App, createApp, type PackageManager } from './app.ts';

const managers: PackageManager[] = ['npm', 'pnpm'];

const zods: { zod: string; dependencies: Record<string, string> }[] = [
  { zod: 'no zod', dependencies: {} },
  { zod: 'zod 3', dependencies: { zod: '^3.25.0' } },
  { zod: 'an older zod 4', dependencies: { zod: '4.0.0' } },
  { zod: 'the newest zod', dependencies: { zod: 'latest' } },
];

/** The compilers by the names that the apps install them under. */
const compilers = { 'TypeScript 5.9': 'typescript-5', 'the newest TypeScript': 'typescript' } as const;

const tools = { '@types/node': '24', typescript: 'latest', 'typescript-5': 'npm:typescript@~5.9.0' };

const apps = managers.flatMap((manager) => zods.map((zod) => ({ manager, ...zod })));

const compilations = Object.entries(compilers).flatMap(([name, compiler]) =>
  ['node', 'bundler'].flatMap((mode) =>
    ['true', 'false'].map((skipLibCheck) => ({ name, compiler, mode, skipLibCheck })),
  ),
);

describe.each(apps)('an app with $zod that $manager installed', ({ manager, dependencies }) => {
  let app: App;

  beforeAll(async () => {
    app = await createApp('programs', ['client'], { ...dependencies, ...tools }, manager);
  });

  afterAll(() => app[Symbol.asyncDispose]());

  test.each(compilations)(
    'compiles right uses and refuses wrong ones with $name for $mode, skipLibCheck $skipLibCheck',
    async ({ compiler, mode, skipLibCheck }) => {
      const { output } = await compile(app, compiler, mode, skipLibCheck);
      expect(output).toBe('');
    },
  );

  test('runs the right uses, as an ES module and by require', async () => {
    await compile(app, 'typescript', 'node', 'true');
    expect(await app.run('node', 'out/right.js')).toBe('right\n');
    expect(await app.run('node', 'out/right.cjs')).toBe('right\n');
  });

  test('has no further package of ours and no optional peer because of the client', async () => {
    expect(await readdir(join(app.path, 'node_modules/@petstore'))).toEqual(['client']);
    const installed = await readdir(join(app.path, 'node_modules'));
    expect(installed).not.toContain('undici');
    expect(installed).not.toContain('msw');
  });
});

// The contract needs zod 4.2 or newer, and package managers install it where an app has none.
const appsWithContract = managers.flatMap((manager) =>
  [{}, { zod: '4.2.0' }, { zod: 'latest' }].map((dependencies) => ({ manager, dependencies })),
);

test.each(appsWithContract)(
  'an app with the contract and $dependencies that $manager installed uses the entries that need them',
  async ({ manager, dependencies }) => {
    await using app = await createApp(
      'programs',
      ['client', 'contract'],
      { ...dependencies, ...tools },
      manager,
    );
    for (const compiler of Object.values(compilers)) {
      expect(await compile(app, compiler, 'contract', 'true')).toMatchObject({ output: '' });
    }
    expect(await app.run('node', 'out/with-contract.js')).toBe('right\n');
  },
);

test.each(managers.flatMap((manager) => ['7', '8'].map((undici) => ({ manager, undici }))))(
  'an app with undici $undici that $manager installed uses its fetch',
  async ({ manager, undici }) => {
    await using app = await createApp('programs', ['client'], { undici, ...tools }, manager);
    for (const compiler of Object.values(compilers)) {
      expect(await compile(app, compiler, 'undici', 'false')).toMatchObject({ output: '' });
    }
    expect(await app.run('node', 'out/with-undici.js')).toBe('right\n');
  },
);

function compile(app: App, compiler: string, mode: string, skipLibCheck: string) {
  const tsc = `node_modules/${compiler}/bin/tsc`;
  return app.attempt('node', tsc, '-p', `tsconfig.${mode}.json`, '--skipLibCheck', skipLibCheck);
}
