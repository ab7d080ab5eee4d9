import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Builds nothing: with an accepted version, the script refuses the unknown option. */
const runWith = (version: string) => {
  const versions = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`;
  const args = ['--import', `data:text/javascript,${versions}`, 'scripts/run.js', 'build.ts', '--unknown'];
  return spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
};

test.each(['18.0.0', '20.20.2', '22.17.1'])(
  'a command on Node.js %s says in one line which version it needs',
  (version) => {
    expect(runWith(version)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `Node.js 22.18 or newer is required, this is ${version}\n`,
    });
  },
);

test.each(['22.18.0', '24.0.0', '25.1.0'])('Node.js %s runs the script', (version) => {
  expect(runWith(version).stderr).toContain("Unknown option '--unknown'");
});

test.each(['start', 'demo', 'dev', 'build', 'petstore', 'pets', 'conformance', 'bench', 'test'])(
  'pnpm %s checks the version of Node.js first',
  (script) => {
    const manifest: { scripts: Record<string, string> } = JSON.parse(
      readFileSync(`${ROOT}package.json`, 'utf8'),
    );
    expect(manifest.scripts[script]).toMatch(/^node scripts\/run\.js /);
  },
);

test('package.json has no devEngines, on which npm would fail before it installs Node.js and pnpm', () => {
  const manifest: object = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
  expect(manifest).not.toHaveProperty('devEngines');
});
