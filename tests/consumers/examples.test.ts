import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createExample } from './app.ts';

test('the example of a script adds each pet of its input once, also when it is run again', async () => {
  await using app = await createExample('script');
  await app.run('npx', 'tsc');
  await writeFile(join(app.path, 'names.txt'), 'Scripta\nScriptor,9007199254740993\n');
  const runs = [
    await app.run('sh', '-c', 'npm start < names.txt'),
    await app.run('sh', '-c', 'npm start < names.txt'),
  ];
  for (const printed of runs) {
    expect(printed.match(/^\d+ Scripta$/gm)).toHaveLength(1);
    expect(printed.match(/^\d+ Scriptor$/gm)).toHaveLength(1);
  }
});

test('the example of a test with Mock Service Worker compiles and passes', async () => {
  await using app = await createExample('msw');
  await app.run('npx', 'tsc');
  expect(await app.run('npm', 'test')).toMatch(/2 passed/);
});
