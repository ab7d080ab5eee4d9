import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const requireNode = (version: string) =>
  spawnSync(process.execPath, ['scripts/require-node.js', version], { cwd: ROOT, encoding: 'utf8' });

test.each(['18.0.0', '20.20.2', '22.17.1'])(
  'a command on Node.js %s says in one line which it needs',
  (version) => {
    expect(requireNode(version)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `Node.js 22.18 or newer is required, this is ${version}\n`,
    });
  },
);

test.each(['22.18.0', '24.0.0', '25.1.0'])('Node.js %s is accepted', (version) => {
  expect(requireNode(version)).toMatchObject({ status: 0, stdout: '', stderr: '' });
});

test.each(['start', 'demo', 'dev', 'build', 'petstore', 'pets', 'conformance', 'bench', 'test'])(
  'pnpm %s checks the version first',
  (script) => {
    const manifest: { scripts: Record<string, string> } = JSON.parse(
      readFileSync(`${ROOT}package.json`, 'utf8'),
    );
    expect(manifest.scripts[script]).toMatch(/^node scripts\/require-node\.js && /);
  },
);

test('npm, which brings Node.js and pnpm, is not stopped by an engine that it checks itself', () => {
  const manifest: object = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
  expect(manifest).not.toHaveProperty('devEngines');
});
