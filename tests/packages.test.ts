import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { temporaryFolder } from '@petstore/test-support/files';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = `${import.meta.dirname}/..`;
/** Packages that apps import. */
const LIBRARIES = ['@petstore/contract', '@petstore/client', '@petstore/conformance'];
const PACKAGES = [...LIBRARIES, '@petstore/cli'];

const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());

const readTarball = (name: string) =>
  new Uint8Array(readFileSync(folder.file(`${name.slice(1).replace('/', '-')}.tgz`)));

beforeAll(() => {
  const filters = PACKAGES.map((name) => `--filter=${name}`);
  execFileSync('pnpm', ['--recursive', ...filters, 'pack', '--out', folder.file('%s.tgz')], { cwd: ROOT });
});

describe.each(PACKAGES)('the packed tarball of %s', (name) => {
  test('passes publint', async () => {
    const { messages } = await publint({ pack: { tarball: readTarball(name).buffer }, strict: true });
    expect(messages).toEqual([]);
  });

  test('has a README, a changelog, a license, and no tests', () => {
    const files = createPackageFromTarballData(readTarball(name)).listFiles();
    for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE'])
      expect(files).toContain(`/node_modules/${name}/${file}`);
    expect(files.filter((file) => /\.test(-d)?\./.test(file))).toEqual([]);
  });
});

// The package handles each value of the contract it was built with. A later contract may have more.
test.each(['@petstore/conformance', '@petstore/cli'])('%s pins our packages to its own version', (name) => {
  const tarball = createPackageFromTarballData(readTarball(name));
  const { dependencies, version } = JSON.parse(tarball.readFile(`/node_modules/${name}/package.json`));
  const ours = PACKAGES.filter((other) => other in dependencies);
  expect(new Set(ours.map((other) => dependencies[other]))).toEqual(new Set([version]));
});

test.each(LIBRARIES)('the packed tarball of %s has types for every ES module resolution', async (name) => {
  const result = await checkPackage(createPackageFromTarballData(readTarball(name)));
  const problems = result.types ? result.problems : [{ kind: 'no types' }];
  // Resolutions from CommonJS modules, which the packages do not support.
  const isUnsupported = (problem: object) =>
    'resolutionKind' in problem && /^(node10|node16-cjs)$/.test(String(problem.resolutionKind));
  expect(problems.filter((problem) => !isUnsupported(problem))).toEqual([]);
});
