import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const LIST_IMPORTS = `
  const { registerHooks } = await import('node:module');
  registerHooks({
    resolve(specifier, context, next) {
      if (!specifier.startsWith('.')) console.log(specifier);
      return next(specifier, context);
    },
  });
  await import(process.argv[1]);
`;

test('the main entry imports two small modules of the contract at run time and no schemas', async () => {
  const entry = new URL('../src/index.ts', import.meta.url).href;
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', LIST_IMPORTS, entry]);
  const imported = new Set(stdout.split('\n').filter((line) => line !== '' && line !== entry));
  expect([...imported].toSorted()).toEqual(['@petstore/contract/json', '@petstore/contract/link']);
});
