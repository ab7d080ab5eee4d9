import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { temporaryFolder } from '@petstore/test-support/files';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PACKAGES = ['packages/contract', 'packages/client', 'packages/conformance', 'apps/cli'];
/** Those that are imported. The others are commands. */
const LIBRARIES = PACKAGES.filter((name) => name.startsWith('packages/'));

/** Resolutions of runtimes without ES modules, which the packages do not support. */
const UNSUPPORTED = ['node10', 'node16-cjs'];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  for (const name of PACKAGES) {
    execFileSync('pnpm', ['pack', '--out', tarball(name)], { cwd: ROOT + name });
  }
});

afterAll(() => folder[Symbol.asyncDispose]());

const tarball = (name: string) => folder.file(`${name.replace('/', '-')}.tgz`);

describe.each(PACKAGES)('the packed tarball of %s', (name) => {
  test('passes publint', async () => {
    const bytes = readFileSync(tarball(name));
    const { messages } = await publint({ pack: { tarball: new Uint8Array(bytes).buffer }, strict: true });
    expect(messages).toEqual([]);
  });

  test('has a README, a changelog and a license', () => {
    const files = execFileSync('tar', ['-tzf', tarball(name)], { encoding: 'utf8' }).split('\n');
    expect(files).toEqual(
      expect.arrayContaining(['package/README.md', 'package/CHANGELOG.md', 'package/LICENSE']),
    );
  });
});

test.each(LIBRARIES)('the packed tarball of %s has types for every ES module resolution', async (name) => {
  const result = await checkPackage(createPackageFromTarballData(readFileSync(tarball(name))));
  const problems = result.types ? result.problems : ['no types'];
  const ours = problems.filter(
    (problem) =>
      typeof problem === 'string' ||
      !('resolutionKind' in problem) ||
      !UNSUPPORTED.includes(problem.resolutionKind),
  );
  expect(ours).toEqual([]);
});

describe('in a new project with the tarballs', () => {
  test.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])(
    'correct code compiles and a mistake does not, with module %s and moduleResolution %s',
    (module, moduleResolution) => {
      const project = folder.file(moduleResolution);
      install(project);
      writeFileSync(join(project, 'package.json'), '{"type":"module"}');
      writeFileSync(
        join(project, 'index.ts'),
        `import { createPetStore } from '@petstore/client';
       import { checks } from '@petstore/conformance';
       import { type Pet, v1 } from '@petstore/contract';
       import { openApiDocument } from '@petstore/contract/openapi';
       const store = createPetStore({ baseUrl: 'http://localhost:3000/v1', apiKey: 'key' });
       export const pet: Promise<Pet> = store.createPet({ name: 'a', categoryId: 1n });
       export const rest = [v1.contract.pets.listPets.path, openApiDocument().info.title, checks.length];
      `,
      );
      writeFileSync(
        join(project, 'mistake.ts'),
        `import { createPetStore } from '@petstore/client';
       createPetStore({ baseUrl: 'http://localhost:3000/v1', apiKey: 'key' }).createPet({ categoryId: 1 });
      `,
      );
      const compilerOptions = {
        module,
        moduleResolution,
        target: 'es2023',
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        types: ['node'],
      };
      writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
      const { stdout } = spawnSync('tsc', ['-p', project], { encoding: 'utf8', cwd: project });
      expect(stdout.match(/^.*error TS.*$/gm)).toEqual([expect.stringMatching(/^mistake\.ts\(2,\d+\): /)]);
      expect(stdout).toContain("Property 'name' is missing");
    },
  );

  /** Unpacks the tarballs, and links their dependencies from this workspace. */
  function install(project: string) {
    const modules = join(project, 'node_modules');
    for (const name of LIBRARIES) {
      const target = join(modules, '@petstore', basename(name));
      mkdirSync(target, { recursive: true });
      execFileSync('tar', ['-xzf', tarball(name), '-C', target, '--strip-components=1']);
      const { dependencies = {} } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'));
      for (const dependency of Object.keys(dependencies)) link(modules, dependency, ROOT + name);
    }
    link(modules, '@types/node', ROOT);
  }

  function link(modules: string, dependency: string, owner: string) {
    const path = join(modules, dependency);
    mkdirSync(join(path, '..'), { recursive: true });
    if (dependency.startsWith('@petstore/')) return;
    rmSync(path, { force: true });
    symlinkSync(join(owner, 'node_modules', dependency), path);
  }
});
