import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { temporaryFolder } from '@petstore/test-support/files';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PACKAGES = ['packages/contract', 'packages/client', 'packages/conformance', 'apps/cli'];
/** Packages that apps import. The others are commands. */
const LIBRARIES = PACKAGES.filter((name) => name.startsWith('packages/'));

/** Resolutions of runtimes without ES modules, which the packages do not support. */
const UNSUPPORTED = ['node10', 'node16-cjs'];

const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());

const tarball = (name: string) => folder.file(`${name.replace('/', '-')}.tgz`);

beforeAll(() => {
  for (const name of PACKAGES) {
    execFileSync('pnpm', ['pack', '--out', tarball(name)], { cwd: ROOT + name });
  }
});

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
  const isUnsupported = (problem: object) =>
    'resolutionKind' in problem && UNSUPPORTED.includes(String(problem.resolutionKind));
  expect(problems.filter((problem) => !isUnsupported(Object(problem)))).toEqual([]);
});
