/** Copies the version, which all published packages share, into sources and manifests: `pnpm version-packages` runs this. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(`${root}packages/contract/package.json`, 'utf8'));

function write(file: string, pattern: RegExp): void {
  const text = readFileSync(root + file, 'utf8');
  writeFileSync(root + file, text.replace(pattern, version));
}

write('packages/contract/src/interface-version.ts', /(?<=INTERFACE_VERSION = ')[^']+/);
write('packages/client/src/version.ts', /(?<=version = ')[^']+/);
for (const kustomization of globSync('deploy/kubernetes/**/kustomization.yaml', { cwd: root }))
  write(kustomization, /(?<=newTag: ).*/);
