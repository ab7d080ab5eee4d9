import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Pretends another version. As an old Node.js, it fails to load anything but the guard of a command, and its
 * `node:module` lacks exports.
 */
const pretend = (version: string, guard: readonly string[] = []) => `
  import { registerHooks } from 'node:module';
  Object.defineProperty(process, 'versions', { value: { node: '${version}' } });
  const guard = ${JSON.stringify(guard)};
  if (guard.length > 0) registerHooks({
    resolve(specifier, context, nextResolve) {
      if (specifier === 'node:module') return { url: 'data:text/javascript,export default {}', shortCircuit: true };
      const resolved = nextResolve(specifier, context);
      if (resolved.url.startsWith('node:') || guard.some((file) => resolved.url.endsWith(file))) return resolved;
      throw new SyntaxError(resolved.url);
    },
  });`;

function run(preload: string, args: readonly string[], variables: Record<string, string> = {}) {
  const importing = `data:text/javascript,${encodeURIComponent(preload)}`;
  const env = { PATH: process.env.PATH, ...variables };
  return spawnSync(process.execPath, ['--import', importing, ...args], { cwd: ROOT, env, encoding: 'utf8' });
}

describe.each(['20.20.2', '22.11.0'])('on Node.js %s', (version) => {
  test.each([
    ['petstore', 'apps/server/dist/cli.js', '22.18', 1],
    ['pets', 'apps/cli/dist/cli.js', '22.12', 1],
    ['petstore-conformance', 'packages/conformance/dist/cli.js', '22.12', 2],
    ['catalogue', 'apps/catalogue/dist/cli.js', '22.18', 1],
  ])('%s loads nothing, and says in one line which version it needs', (command, file, required, status) => {
    const guard = [file, 'contract/dist/require-node.js'];
    expect(run(pretend(version, guard), [file, '--help'])).toMatchObject({
      status,
      stdout: '',
      stderr: `${command}: Node.js ${required} or newer is required, this is ${version}\n`,
    });
  });

  test('pnpm demo says in one line how to run it with a newer version', () => {
    const preload = pretend(version, ['scripts/run.js']);
    const remedy = 'npx -y -p node@24 -p pnpm@12 pnpm demo';
    expect(run(preload, ['scripts/run.js', 'build.ts'], { npm_lifecycle_event: 'demo' })).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `Node.js 22.18 or newer is required, this is ${version}. Run: ${remedy}\n`,
    });
  });
});

test.each(['22.18.0', '24.0.0', '25.1.0'])('Node.js %s runs every command', (version) => {
  // Builds nothing: the script refuses the unknown option.
  const built = run(pretend(version), ['scripts/run.js', 'build.ts', '--unknown']);
  expect(built.stderr).toContain("Unknown option '--unknown'");
  expect(run(pretend(version), ['apps/server/dist/cli.js', '--help']).stdout).toMatch(/^Usage: petstore /);
});
