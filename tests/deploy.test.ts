import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { findMistakes, programOf } from './kubernetes-api.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, 'deploy');

const kustomizations = globSync('{kubernetes,backup}/**/kustomization.yaml', { cwd: FOLDER });
const manifests = globSync('{kubernetes,backup}/**/*.yaml', { cwd: FOLDER }).filter(
  (file) => basename(file) !== 'kustomization.yaml',
);

const readAll = (file: string) =>
  parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map((document) => document.toJS());
const read = (file: string) => parse(readFileSync(join(FOLDER, file), 'utf8'));

test('the manifests are valid for the API of Kubernetes', async () => {
  const programs = manifests
    .flatMap((file) => readAll(file))
    .map((manifest, index) => [`manifest-${index}.ts`, programOf(manifest)]);
  expect(await findMistakes(Object.fromEntries(programs))).toBe('');
});

test('a property that the API does not know, and a value that it does not take, are found', async () => {
  const deployment = read('kubernetes/deployment.yaml');
  const mistaken = { ...deployment, spec: { ...deployment.spec, replica: 2, minReadySeconds: 1.5 } };
  const mistakes = await findMistakes({ 'mistaken.ts': programOf(mistaken) });
  expect(mistakes).toMatch(/error TS\d+: .*'"replica"' does not exist/);
  expect(mistakes).toContain('minReadySeconds must be integer');
});

test('the alert rules are valid for the Prometheus Operator, as the manual makes them a manifest', async () => {
  const manual = readFileSync(join(ROOT, 'docs/deploy.md'), 'utf8');
  const [, command = ''] = /^(\(printf .*PrometheusRule[^|]*)\| kubectl/m.exec(manual) ?? [];
  const manifest = parse(execFileSync('sh', ['-c', command], { cwd: ROOT, encoding: 'utf8' }));
  expect(manifest.spec.groups.length).toBeGreaterThan(1);
  expect(await findMistakes({ 'rules.ts': programOf(manifest) })).toBe('');
});

test('each folder of manifests names the images of this version', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'packages/contract/package.json'), 'utf8'));
  for (const file of kustomizations) {
    for (const { newTag } of read(file).images ?? []) expect(newTag).toBe(version);
  }
});

test('compose.yaml has no property that docker-compose 1.29 does not know, and images of others by digest', () => {
  const { services, ...rest } = parse(readFileSync(join(ROOT, 'deploy/compose.yaml'), 'utf8'), {
    merge: true,
  });
  const isKnown = (name: string) => ['secrets', 'volumes'].includes(name) || name.startsWith('x-');
  expect(Object.keys(rest).filter((name) => !isKnown(name))).toEqual([]);
  for (const { image, build } of Object.values<{ image: string; build?: object }>(services)) {
    if (build === undefined) expect(image).toMatch(/:\d?v?[\d.]+\S*@sha256:[0-9a-f]{64}$/);
  }
});

describe('each variable that is set for the server is one that the manual has, in', () => {
  const manual = readFileSync(join(ROOT, 'docs/configure.md'), 'utf8');
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
        read('kubernetes/deployment.yaml').spec.template.spec.containers[0].env.map(
          ({ name }: { name: string }) => name,
        ),
    ],
    ...['systemd/petstore.service', 'systemd/postgres.conf'].map((file): [string, () => string[]] => [
      file,
      () =>
        Array.from(text(file).matchAll(/^Environment=(.*)$/gm), ([, line = '']) => line)
          .flatMap((line) => line.split(' '))
          .map((assignment) => assignment.replace(/=.*/, '')),
    ]),
  ])('%s', (_file, variables) => {
    expect(variables()).not.toEqual([]);
    expect(documented).toEqual(expect.arrayContaining(variables()));
  });
});

test('each folder of manifests lists all of them', () => {
  const listed = kustomizations.flatMap((file) =>
    read(file).resources.map((resource: string) => join(file, '..', resource)),
  );
  expect(listed.toSorted()).toEqual(manifests.toSorted());
});
