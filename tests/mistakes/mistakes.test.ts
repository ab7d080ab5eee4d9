import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyCheckout } from '../copy-checkout.ts';
import { mistakes } from './mistakes.ts';

let copy: Awaited<ReturnType<typeof copyCheckout>>;

function run(command: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: copy.path, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

const build = () => run('pnpm', 'exec', 'turbo', 'run', 'build', 'typecheck', '--output-logs=errors-only');

beforeAll(async () => {
  copy = await copyCheckout();
  run('pnpm', 'install', '--frozen-lockfile', '--prefer-offline');
  // The copy must compile without a mistake. Otherwise every mistake would seem to be found.
  expect(build()).toMatchObject({ status: 0 });
});

afterAll(() => copy[Symbol.asyncDispose]());

test.each(mistakes)('does not compile: %s', (_title, path, from, to) => {
  const file = copy.file(path);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
  try {
    const { status, output } = build();
    expect(output).toMatch(/error TS\d+/);
    expect(status).not.toBe(0);
  } finally {
    writeFileSync(file, text);
  }
});
