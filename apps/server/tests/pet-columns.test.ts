import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@petstore/test-support/files';
import { expect, test } from 'vitest';

const REPOSITORY = fileURLToPath(new URL('../src/pets/repository.ts', import.meta.url));
const TSCONFIG = fileURLToPath(new URL('../tsconfig.json', import.meta.url));
const CONTRACT = fileURLToPath(import.meta.resolve('@petstore/contract'));
const TYPESCRIPT = fileURLToPath(import.meta.resolve('typescript/package.json'));

test('a property that the contract adds to a pet does not compile until it has a column', async () => {
  expect(await compileRepository({})).toBe('');
  expect(await compileRepository({ age: 'number' })).toMatch(/^src\/pets\/repository\.ts[^\n]*'age'/);
});

/** What the compiler says of the repository when the contract has other properties of a pet as well. */
async function compileRepository(properties: Record<string, string>): Promise<string> {
  await using folder = await temporaryFolder();
  const added = Object.entries(properties).map(([name, type]) => `{ ${name}?: ${type} }`);
  const types = ['NewPet', 'Pet'].map(
    (name) => `export type ${name} = ${[`contract.${name}`, ...added].join(' & ')};`,
  );
  writeFileSync(
    folder.file('contract.ts'),
    [
      `import type * as contract from '${CONTRACT}';`,
      `export * from '${CONTRACT}';`,
      ...types,
      'export declare const NewPet: typeof contract.NewPet;',
    ].join('\n'),
  );
  const typeRoots = [fileURLToPath(new URL('../node_modules/@types', import.meta.url))];
  const compilerOptions = {
    noEmit: true,
    typeRoots,
    paths: { '@petstore/contract': [folder.file('contract.ts')] },
  };
  writeFileSync(
    folder.file('tsconfig.json'),
    JSON.stringify({ extends: TSCONFIG, compilerOptions, include: [], files: [REPOSITORY] }),
  );
  const compiler = TYPESCRIPT.replace('package.json', 'bin/tsc');
  const arguments_ = [compiler, '-p', folder.path, '--pretty', 'false'];
  return spawnSync(process.execPath, arguments_, { encoding: 'utf8' }).stdout;
}
