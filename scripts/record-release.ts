/**
 * Writes the version that `changeset version` gave the packages into the contract, the client, the manifests of
 * Kubernetes and the chart, and records the contract as that of the last release, which `pnpm compatibility` compares with. Part
 * of `pnpm version-packages`.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, writeFileSync } from 'node:fs';
import { objectOf } from './compatibility/json.ts';
import { files, pathOf, readText } from './compatibility/last-release.ts';

const { version } = objectOf(JSON.parse(readText('packages/contract/package.json')));
const file = 'packages/contract/src/interface-version.ts';
writeFileSync(pathOf(file), readText(file).replace(/(INTERFACE_VERSION = ')[^']+/, `$1${version}`));
const client = 'packages/client/src/version.ts';
writeFileSync(pathOf(client), readText(client).replace(/(version = ')[^']+/, `$1${version}`));
for (const kustomization of globSync('deploy/kubernetes/**/kustomization.yaml', { cwd: pathOf('') })) {
  writeFileSync(pathOf(kustomization), readText(kustomization).replace(/(newTag: ).*/, `$1${version}`));
}
execFileSync('pnpm', ['--filter', '@petstore/contract', 'build'], { stdio: 'inherit' });
for (const { now, released } of Object.values(files)) copyFileSync(pathOf(now), pathOf(released));
