import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '@petstore/test-support/files';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BIOME = `${ROOT}node_modules/.bin/biome`;

/** Lints these files by the rules of the repository, each at its place in it, and returns what Biome prints. */
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
    [`${SERVER}/process/workers.ts`, '../commands/serve.ts', 'A process knows no command'],
    [`${SERVER}/service.ts`, './process/workers.ts', 'does not know the process'],
    [`${SERVER}/v1/pets.ts`, '../service.ts', 'src/service.ts gives them'],
    [`${SERVER}/docs/openapi.ts`, '../service.ts', 'src/service.ts gives them'],
    [`${SERVER}/pets/repository.ts`, '../v1/urls.ts', 'What speaks HTTP belongs in src/v1'],
    [`${SERVER}/a-new-resource/repository.ts`, '../v1/urls.ts', 'What speaks HTTP belongs in src/v1'],
    [`${SERVER}/keys/key-ring.ts`, '../http/server.ts', 'What speaks HTTP belongs in src/v1'],
    [`${SERVER}/pets/repository.ts`, '../database/postgres/connections/pool.ts', 'belongs in src/database'],
    [`${SERVER}/tables.ts`, './pets/repository.ts', 'The tables know nothing'],
    [`${SERVER}/config.ts`, './tables.ts', 'The configuration is below everything else'],
    [`${SERVER}/process/workers.ts`, 'express', 'Only src/v1 knows ts-rest and Express'],
    [`${SERVER}/service.ts`, '@ts-rest/core', 'Only src/v1 knows ts-rest and Express'],
    [`${SERVER}/http/server.ts`, '@petstore/contract', 'the Error body and its codes'],
    [`${SERVER}/database/query.ts`, '../tables.ts', 'The database knows neither'],
    [`${SERVER}/telemetry/log/loggers.ts`, '../../config.ts', 'The telemetry knows neither'],
    [`${SERVER}/http/server.ts`, '../pets/repository.ts', 'knows nothing of this one'],
    ['packages/client/src/query.ts', '../../../apps/server/src/tables.ts', 'by its name'],
    ['packages/client/src/store.ts', '../../contract/packages/json.ts', 'by its name'],
  ])('%s to import %s, and says where the thing belongs', async (file, specifier, message) => {
    expect(await lint({ [file]: importing(specifier) })).toContain(message);
  });

  test('a circle of imports, types included', async () => {
    const circle = {
      [`${SERVER}/keys/one.ts`]: `import type { Two } from './two.ts';\nexport type One = Two;\n`,
      [`${SERVER}/keys/two.ts`]: `import type { One } from './one.ts';\nexport type Two = One | 1;\n`,
    };
    expect(await lint(circle)).toContain('This import is part of a cycle');
  });
});

test('the lint allows imports that run down', async () => {
  const down = {
    [`${SERVER}/pets/repository.ts`]: importing('../tables.ts'),
    [`${SERVER}/v1/pets.ts`]: importing('../pets/repository.ts'),
    [`${SERVER}/commands/serve.ts`]: importing('../process/workers.ts'),
  };
  expect(await lint(down)).not.toContain('noRestrictedImports');
});
