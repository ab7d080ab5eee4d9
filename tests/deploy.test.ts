import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@petstore/test-support/files';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, 'deploy/kubernetes');

const kustomizations = globSync('**/kustomization.yaml', { cwd: FOLDER });
const manifests = globSync('**/*.yaml', { cwd: FOLDER }).filter(
  (file) => basename(file) !== 'kustomization.yaml',
);

const read = (file: string) => parse(readFileSync(join(FOLDER, file), 'utf8'));

/**
 * A program that compiles when a manifest has the properties of the API, and no others, and that runs when
 * their values have the form that the API asks for. Types and schemas are generated from those of Kubernetes.
 */
function programOf(manifest: { apiVersion: string; kind: string }): string {
  const { apiVersion, kind, ...data } = manifest;
  const models = apiVersion.startsWith('monitoring.coreos.com/')
    ? '@kubernetes-models/prometheus-operator'
    : 'kubernetes-models';
  return `import { ${kind} } from '${models}/${apiVersion}/${kind}';
new ${kind}(${JSON.stringify(data)}).validate();
`;
}

/** What the compiler and Node.js say against manifests. */
async function findMistakes(programs: Record<string, string>): Promise<string> {
  await using folder = await temporaryFolder();
  for (const [name, program] of Object.entries(programs)) writeFileSync(folder.file(name), program);
  symlinkSync(join(ROOT, 'node_modules'), folder.file('node_modules'));
  const compilerOptions = { module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true, types: [] };
  writeFileSync(folder.file('tsconfig.json'), JSON.stringify({ compilerOptions }));
  writeFileSync(folder.file('package.json'), '{"type":"module"}');
  const run = (command: string, ...arguments_: string[]) =>
    spawnSync(command, arguments_, { encoding: 'utf8', cwd: folder.path });
  const compiled = run(join(ROOT, 'node_modules/.bin/tsc'));
  const imports = Object.keys(programs).map((name) => `await import('./${name}');`);
  const ran = run(process.execPath, '--input-type=module', '--eval', imports.join('\n'));
  return compiled.stdout + ran.stderr;
}

test('the manifests are valid for the API of Kubernetes', async () => {
  const programs = manifests.map((file) => [`${file.replaceAll('/', '-')}.ts`, programOf(read(file))]);
  expect(await findMistakes(Object.fromEntries(programs))).toBe('');
});

test('a property that the API does not know, and a value that it does not take, are found', async () => {
  const deployment = read('deployment.yaml');
  const mistaken = { ...deployment, spec: { ...deployment.spec, replica: 2, minReadySeconds: 1.5 } };
  const mistakes = await findMistakes({ 'mistaken.ts': programOf(mistaken) });
  expect(mistakes).toMatch(/error TS\d+: .*'"replica"' does not exist/);
  expect(mistakes).toContain('minReadySeconds must be integer');
});

test('the alert rules are valid for the Prometheus Operator, as the manual makes them a manifest', async () => {
  const manual = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
  const [, command = ''] = /^(\(printf .*PrometheusRule[^|]*)\| kubectl/m.exec(manual) ?? [];
  const manifest = parse(execFileSync('sh', ['-c', command], { cwd: ROOT, encoding: 'utf8' }));
  expect(manifest.spec.groups.length).toBeGreaterThan(1);
  expect(await findMistakes({ 'rules.ts': programOf(manifest) })).toBe('');
});

test('each folder of manifests names the images of this version', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'packages/contract/package.json'), 'utf8'));
  for (const file of kustomizations) {
    for (const { newTag } of read(file).images) expect(newTag).toBe(version);
  }
});

describe('each variable that is set for the server is one that the manual has, in', () => {
  const manual = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
  const documented = Array.from(manual.matchAll(/^\| `([A-Z_]+)` \|/gm), ([, name = '']) => name);
  const text = (file: string) => readFileSync(join(ROOT, 'deploy', file), 'utf8');

  test.each<[string, () => string[]]>([
    [
      'compose.yaml',
      () => Object.keys(parse(text('compose.yaml'), { merge: true }).services['server-one'].environment),
    ],
    [
      'kubernetes/deployment.yaml',
      () =>
        read('deployment.yaml').spec.template.spec.containers[0].env.map(
          ({ name }: { name: string }) => name,
        ),
    ],
    [
      'systemd/petstore.service',
      () =>
        Array.from(text('systemd/petstore.service').matchAll(/^Environment=(.*)$/gm), ([, line = '']) => line)
          .flatMap((line) => line.split(' '))
          .map((assignment) => assignment.replace(/=.*/, '')),
    ],
  ])('%s', (_file, variables) => {
    expect(variables()).not.toEqual([]);
    expect(documented).toEqual(expect.arrayContaining(variables()));
  });
});

test('each folder of manifests lists all of them but the example', () => {
  const listed = kustomizations.flatMap((file) =>
    read(file).resources.map((resource: string) => join(file, '..', resource)),
  );
  expect([...listed, 'secret.example.yaml'].toSorted()).toEqual(manifests.toSorted());
});
