import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import { describe, expect, test } from 'vitest';
import { readConfig, variables } from '../../src/config.ts';

const README = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8');
const OPERATIONS = readFileSync(new URL('../../../../docs/configure.md', import.meta.url), 'utf8');
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
/** Inside the package, so that its dependencies are found, in a folder that Git ignores. */
const SNIPPETS = fileURLToPath(new URL('../../reports/readme/', import.meta.url));

const blocks = (language: string) =>
  [...README.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text);

describe('README.md', () => {
  test('has commands that print the lines below them', async () => {
    await using server = await startServer();
    const [curls = ''] = blocks('console');
    const steps = curls.split(/^\$ /m).slice(1);
    expect(steps).toHaveLength(4);
    for (const step of steps) {
      const [command = '', ...response] = step.trimEnd().split('\n');
      const { stdout } = run(command, server.baseUrl);
      expect(stdout).toBe(response.join('\n'));
    }
  });

  test('has a conformance command that passes', async () => {
    await using server = await startServer();
    const command = blocks('console')[1]?.slice('$ '.length).trimEnd() ?? '';
    expect(run(command, server.baseUrl).stdout).toMatch(/^[1-9]\d* passed, 0 failed$/m);
  });

  test('has a client snippet that compiles and runs', async () => {
    await using server = await startServer();
    const [snippet = ''] = blocks('ts');
    mkdirSync(SNIPPETS, { recursive: true });
    writeFileSync(`${SNIPPETS}snippet.ts`, snippet.replace('http://127.0.0.1:3000/v1', server.baseUrl));
    writeFileSync(`${SNIPPETS}package.json`, '{"type":"module"}');
    const project = { extends: '../../tsconfig.json', include: ['.'] };
    writeFileSync(`${SNIPPETS}tsconfig.json`, JSON.stringify(project));
    expect(spawnSync('tsc', ['-p', SNIPPETS], { encoding: 'utf8' })).toMatchObject({ stdout: '', status: 0 });
    const { stdout: output } = spawnSync(process.execPath, [`${SNIPPETS}snippet.ts`], {
      env: { API_KEY: FIXED_KEY },
      encoding: 'utf8',
    });
    expect(output).toBe('added Ñandú\navailable: Ñandú\n');
  });
});

test('the operations manual has a row with the default of every variable', () => {
  const rows = [...OPERATIONS.matchAll(/^\| `([A-Z_]+)` \| (?:`([^`]*)`)? ?\|/gm)];
  const documented = Object.fromEntries(rows.map(([, name = '', value = '']) => [name, value]));
  expect(Object.keys(documented).sort()).toEqual([...variables].sort());
  expect(readConfig(documented)).toEqual(readConfig({}));
});

/** Runs a command of the README against a server of the test. */
function run(command: string, baseUrl: string) {
  const text = command
    .replaceAll('http://127.0.0.1:3000/v1', baseUrl)
    .replace('pnpm conformance', 'node packages/conformance/dist/cli.js');
  return spawnSync('sh', ['-c', text], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, API_KEY: FIXED_KEY },
  });
}
