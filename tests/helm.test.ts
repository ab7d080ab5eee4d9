import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Manifest, renderChart } from './helm-chart.ts';
import { findMistakes, programOf } from './kubernetes-api.ts';

const DEPLOY = fileURLToPath(new URL('../deploy/', import.meta.url));

const render = (values: Record<string, unknown> = {}, release = 'petstore') =>
  renderChart(join(DEPLOY, 'helm'), release, values);

const nameOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;
const kindsOf = (manifests: Manifest[]) => manifests.map(({ kind }) => kind).sort();

/** What kustomize makes of a folder: all resources, with the labels and the image of the kustomization. */
function readKustomization(folder: string): Manifest[] {
  const read = (file: string) => parse(readFileSync(join(DEPLOY, 'kubernetes', folder, file), 'utf8'));
  const { resources, images, labels = [] } = read('kustomization.yaml');
  const [{ name, newName, newTag }] = images;
  return resources.map((file: string) => {
    const manifest = read(file);
    for (const { pairs } of labels) manifest.metadata.labels = { ...pairs, ...manifest.metadata.labels };
    for (const container of manifest.spec?.template?.spec.containers ?? []) {
      if (container.image === name) container.image = `${newName}:${newTag}`;
    }
    return manifest;
  });
}

/** Leaves out what Helm has of its own: which release it is, and when a hook runs. */
function withoutHelm(manifest: Manifest): Manifest {
  const text = JSON.stringify(manifest, (name, value) =>
    /^(?:app\.kubernetes\.io\/(?:instance|managed-by)|helm\.sh\/.*)$/.test(name) ? undefined : value,
  );
  const { metadata, ...rest }: Manifest = JSON.parse(text);
  const { annotations, ...others } = metadata;
  const hasAnnotations = Object.keys(annotations ?? {}).length > 0;
  return { ...rest, metadata: hasAnnotations ? metadata : others };
}

const everything = {
  autoscaling: { enabled: false },
  replicas: 3,
  secret: { DATABASE_URL: 'postgres://petstore:password@db.example/petstore' },
  env: [{ name: 'RATE_LIMIT', value: '600/60' }],
  resources: { limits: { memory: '1Gi' } },
  ingress: {
    enabled: true,
    host: 'pets.example',
    tlsSecretName: 'pets-tls',
    annotations: { 'nginx.ingress.kubernetes.io/proxy-read-timeout': '40' },
  },
};

describe('the chart', () => {
  test('makes the same as the manifests, but for the namespace and the labels of Helm', async () => {
    const rendered = (await render()).map(withoutHelm);
    const manifests = [...readKustomization(''), ...readKustomization('migration')];
    const expected = manifests.filter(({ kind }) => kind !== 'Namespace');
    const byName = (list: Manifest[]) =>
      Object.fromEntries(list.map((manifest) => [nameOf(manifest), manifest]));
    expect(byName(rendered)).toEqual(byName(expected));
  });

  test.each([
    ['its defaults', {}],
    ['every value', everything],
  ])('is valid for the API of Kubernetes with %s', async (_name, values) => {
    const manifests = await render(values);
    const programs = manifests.map((manifest) => [
      `${nameOf(manifest).replace(' ', '-')}.ts`,
      programOf(manifest),
    ]);
    expect(await findMistakes(Object.fromEntries(programs))).toBe('');
  });

  test('puts replicas, resources, variables, secret and ingress where they belong', async () => {
    const manifests = await render(everything);
    const find = (kind: string) => manifests.find((manifest) => manifest.kind === kind);
    expect(find('HorizontalPodAutoscaler')).toBeUndefined();
    expect(find('Deployment')).toMatchObject({
      spec: {
        replicas: 3,
        template: {
          spec: {
            containers: [
              {
                resources: { limits: { memory: '1Gi' } },
                env: expect.arrayContaining([{ name: 'RATE_LIMIT', value: '600/60' }]),
              },
            ],
          },
        },
      },
    });
    expect(find('Secret')).toMatchObject({ metadata: { name: 'petstore' }, stringData: everything.secret });
    expect(find('Ingress')).toMatchObject({
      metadata: { annotations: everything.ingress.annotations },
      spec: { tls: [{ hosts: ['pets.example'], secretName: 'pets-tls' }], rules: [{ host: 'pets.example' }] },
    });
  });

  test('leaves out what is switched off', async () => {
    const off = { enabled: false };
    const names = ['autoscaling', 'migration', 'disruptionBudget', 'networkPolicy', 'serviceMonitor'];
    const manifests = await render(Object.fromEntries(names.map((name) => [name, off])));
    expect(kindsOf(manifests)).toEqual(['Deployment', 'Service']);
  });

  test('gives two releases names and selectors of their own', async () => {
    const [one, other] = [await render({}, 'one'), await render({}, 'other')];
    const names = one.map(nameOf);
    expect(names.filter((name) => other.map(nameOf).includes(name))).toEqual([]);
    const service = one.find(({ kind }) => kind === 'Service');
    expect(service).toMatchObject({ spec: { selector: { 'app.kubernetes.io/instance': 'one' } } });
  });
});
