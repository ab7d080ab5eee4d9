import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OPTIONS } from './v8-options.ts';

const readDeployment = (file: string) =>
  readFileSync(new URL(`../../../../deploy/${file}`, import.meta.url), 'utf8');

test('the unit of systemd gives the options itself, because the process does not replace itself there', () => {
  expect(readDeployment('systemd/petstore.service')).toContain(
    `ExecStart=/usr/bin/node ${OPTIONS.join(' ')} /`,
  );
});

test('the image of the server gives the options itself, so that it starts sooner', () => {
  const command = ['/usr/local/bin/node', ...OPTIONS, '/app/dist/cli.js'].map((part) => `"${part}"`);
  expect(readDeployment('Dockerfile')).toContain(`ENTRYPOINT [${command.join(', ')}]`);
});

test('V8 takes the compiled code that Node brings also with the options', () => {
  const print = (...options: string[]) =>
    execFileSync(process.execPath, [...options, '--print', 'v8.cachedDataVersionTag()'], {
      encoding: 'utf8',
    });
  expect(print(...OPTIONS)).toBe(print());
  expect(print('--heap-growing-percent=20')).not.toBe(print());
});
