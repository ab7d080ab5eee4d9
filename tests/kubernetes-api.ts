import { spawnSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@petstore/test-support/files';

const NODE_MODULES = fileURLToPath(new URL('./node_modules', import.meta.url));

/**
 * Returns a program that compiles if a manifest has only properties of the API, and that runs if their values are
 * valid. The types and schemas that it imports are generated from the schemas of Kubernetes.
 */
export function programOf(manifest: { apiVersion: string; kind: string }): string {
  const { apiVersion, kind, ...data } = manifest;
  const models = apiVersion.startsWith('monitoring.coreos.com/')
    ? '@kubernetes-models/prometheus-operator'
    : 'kubernetes-models';
  return `import { ${kind} } from '${models}/${apiVersion}/${kind}';
new ${kind}(${JSON.stringify(data)}).validate();
`;
}

/** Returns the errors that the compiler and Node.js report about manifests. */
export async function findMistakes(programs: Record<string, string>): Promise<string> {
  await using folder = await temporaryFolder();
  for (const [name, program] of Object.entries(programs)) writeFileSync(folder.file(name), program);
  symlinkSync(NODE_MODULES, folder.file('node_modules'));
  const compilerOptions = { module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true, types: [] };
  writeFileSync(folder.file('tsconfig.json'), JSON.stringify({ compilerOptions }));
  writeFileSync(folder.file('package.json'), '{"type":"module"}');
  const run = (command: string, ...arguments_: string[]) =>
    spawnSync(command, arguments_, { encoding: 'utf8', cwd: folder.path });
  const compiled = run(join(NODE_MODULES, '.bin/tsc'));
  const imports = Object.keys(programs).map((name) => `await import('./${name}');`);
  const ran = run(process.execPath, '--input-type=module', '--eval', imports.join('\n'));
  return compiled.stdout + ran.stderr;
}
