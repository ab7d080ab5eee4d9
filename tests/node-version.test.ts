import { spawnSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@petstore/test-support/files';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

test.each(['start', 'dev', 'test'])(
  'pnpm %s names the Node.js it needs when another runs',
  async (script) => {
    await using folder = await temporaryFolder();
    const node = folder.file('node');
    await writeFile(node, '#!/bin/sh\necho v20.20.2\n');
    await chmod(node, 0o755);

    const { status, stdout, stderr } = spawnSync('pnpm', [script], {
      cwd: ROOT,
      env: { ...process.env, PATH: `${folder.path}:${process.env.PATH}` },
      encoding: 'utf8',
    });

    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain('This project requires Node.js >=22.18. Your current Node.js is v20.20.2');
  },
);
