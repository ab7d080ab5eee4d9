import { execFile } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '@petstore/test-support/files';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BIOME = `${ROOT}node_modules/.bin/biome`;

/** Lints files at these paths by the rules of the repository, and returns what Biome prints. */
async function lint(files: Record<string, string>): Promise<string> {
  await using folder = await temporaryFolder();
  copyFileSync(`${ROOT}biome.json`, folder.file('biome.json'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(folder.file(name)), { recursive: true });
    writeFileSync(folder.file(name), text);
  }
  const { stdout, stderr } = await promisify(execFile)(
    BIOME,
    ['lint', '--vcs-enabled=false', '--colors=off'],
    { cwd: folder.path },
  ).catch((failed: { stdout: string; stderr: string }) => failed);
  return stdout + stderr;
}

const importing = (specifier: string) => `import { a } from '${specifier}';\nexport const b = a;\n`;

const SERVER = 'apps/server/src';

describe('the lint refuses', () => {
  test.each([
    [`${SERVER}/serve.ts`, './commands/serve.ts', 'Only src/main.ts knows the commands'],
    [`${SERVER}/service/service.ts`, '../serve.ts', 'does not know the process'],
    [`${SERVER}/v1/pets.ts`, '../service/service.ts', 'src/service/app.ts gives them'],
    [`${SERVER}/a-new-resource/repository.ts`, '../http/urls.ts', 'What speaks HTTP belongs in src/v1'],
    [`${SERVER}/keys/key-ring.ts`, 'express', 'What speaks HTTP belongs in src/v1'],
    [
      `${SERVER}/pets/repository.ts`,
      '../database/postgres/pool.ts',
      'The domain knows neither HTTP nor an engine',
    ],
    [`${SERVER}/config.ts`, './http/limits.ts', 'The configuration knows nothing'],
    [`${SERVER}/database/prepared.ts`, '../pets/repository.ts', 'knows neither the service'],
    [`${SERVER}/telemetry/log/loggers.ts`, '../../config.ts', 'knows neither the service'],
    [`${SERVER}/http/connection.ts`, '../database/database.ts', 'knows nothing of this one'],
    ['packages/client/src/store.ts', '../../contract/packages/json.ts', 'by its name'],
  ])('that %s imports %s, and states the rule', async (file, specifier, message) => {
    expect(await lint({ [file]: importing(specifier) })).toContain(message);
  });

  test('a cycle of imports, even of types only', async () => {
    const cycle = {
      [`${SERVER}/keys/one.ts`]: `import type { Two } from './two.ts';\nexport type One = Two;\n`,
      [`${SERVER}/keys/two.ts`]: `import type { One } from './one.ts';\nexport type Two = One | 1;\n`,
    };
    expect(await lint(cycle)).toContain('This import is part of a cycle');
  });
});

test('the lint allows imports from lower layers', async () => {
  const down = {
    [`${SERVER}/pets/repository.ts`]: importing('../database/tables.ts'),
    [`${SERVER}/v1/pets.ts`]: importing('../pets/repository.ts'),
    [`${SERVER}/commands/serve.ts`]: importing('../serve.ts'),
    [`${SERVER}/service/app.ts`]: importing('express'),
    [`${SERVER}/http/server.ts`]: importing('@petstore/contract'),
  };
  expect(await lint(down)).not.toContain('noRestrictedImports');
});

test('the folders that any service could use name no resource of this service', () => {
  const folders = ['http', 'telemetry'].map((name) => `${ROOT}${SERVER}/${name}`);
  const files = folders.flatMap((cwd) => globSync('**/*.ts', { cwd }).map((name) => `${cwd}/${name}`));
  const sources = files.filter((name) => !name.endsWith('.test.ts'));
  expect(sources.length).toBeGreaterThan(20);
  const withoutComments = (name: string) =>
    readFileSync(name, 'utf8').replaceAll(/\/\*\*[\s\S]*?\*\/|\/\/.*/g, '');
  const naming = sources.filter((name) => /\bpets?\b/i.test(withoutComments(name)));
  expect(naming).toEqual([]);
});
