import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { temporaryFolder } from '@petstore/test-support/files';
import { expect, test } from 'vitest';

const ROOT = `${import.meta.dirname}/..`;

/** A module that lets Node.js state another version. */
const stateVersion = (version: string) =>
  `Object.defineProperty(process, 'versions', { value: { node: '${version}' } });`;

/** A module that lets Node.js load no files but these, because an old one fails to load most. */
const loadOnly = (...files: string[]) => `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(specifier, context, nextResolve) {
      // In an old Node.js this module lacks exports, so that their import would fail.
      if (specifier === 'node:module') return { url: 'data:text/javascript,export default {}', shortCircuit: true };
      const resolved = nextResolve(specifier, context);
      const isLoaded = ${JSON.stringify(['node:', ...files])}.some((part) => resolved.url.includes(part));
      if (isLoaded) return resolved;
      throw new SyntaxError(resolved.url);
    },
  });`;

function run(preload: string, args: readonly string[], variables: Record<string, string> = {}) {
  const importing = `data:text/javascript,${encodeURIComponent(preload)}`;
  const env = { PATH: process.env.PATH, ...variables };
  return spawnSync(process.execPath, ['--import', importing, ...args], { cwd: ROOT, env, encoding: 'utf8' });
}

/** Older than each required version, although the text `22.9` sorts after `22.18`. */
const OLD = '22.9.0';

const lineFor = (version: string) => `Node.js ${version} or newer is required, this is ${OLD}`;

test.each([
  [['apps/server/dist/cli.js', '--help'], 1, `petstore: ${lineFor('22.18')}`],
  [['apps/cli/dist/cli.js', '--help'], 1, `pets: ${lineFor('22.12')}`],
  [['packages/conformance/dist/cli.js', '--help'], 2, `petstore-conformance: ${lineFor('22.12')}`],
  [['apps/catalogue/dist/cli.js', '--help'], 1, `catalogue: ${lineFor('22.18')}`],
  // As `pnpm demo` runs it.
  [['scripts/run.js', 'build.ts'], 1, `${lineFor('22.18')}. Run: npx -y -p node@24 -p pnpm@12 pnpm demo`],
] as const)('on an older Node.js, %j ends with %i and one line: %s', (args, status, line) => {
  const preload = stateVersion(OLD) + loadOnly(args[0], 'contract/dist/require-node.js');
  const ended = run(preload, args, { npm_lifecycle_event: 'demo' });
  expect(ended).toMatchObject({ status, stdout: '', stderr: `${line}\n` });
});

test.each(['22.18.0', '24.0.0'])('Node.js %s runs a script and a command', (version) => {
  const preload = stateVersion(version);
  // Builds nothing: the script refuses the unknown option.
  const built = run(preload, ['scripts/run.js', 'build.ts', '--unknown']);
  expect(built.stderr).toContain("Unknown option '--unknown'");
  expect(run(preload, ['apps/server/dist/cli.js', '--help']).stdout).toMatch(/^Usage: petstore /);
});

test.each([
  ['build.ts', 'exit 3', 3],
  ['build.ts', 'kill -9 $$', 1],
  ['test.ts', 'exit 2', 1],
  ['test.ts', 'exit 0', 0],
])('%s whose tools end with "%s" ends with %i', async (script, end, status) => {
  await using folder = await temporaryFolder();
  const report = `echo '{"numPassedTests":1,"numFailedTests":0}' >tests/reports/vitest.json`;
  const tool = `#!/bin/sh\nmkdir -p tests/reports\n${report}\n${end}\n`;
  for (const name of ['pnpm', 'turbo']) writeFileSync(folder.file(name), tool, { mode: 0o755 });
  const env = { PATH: `${folder.path}:${process.env.PATH}` };
  const ended = spawnSync(process.execPath, [`${ROOT}/scripts/${script}`], { cwd: folder.path, env });
  expect(ended.status).toBe(status);
});
