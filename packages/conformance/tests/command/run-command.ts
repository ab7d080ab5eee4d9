import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { COMPILE_CACHE } from '@petstore/test-support/servers/compile-cache';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import type { Fetch } from '../../src/target.ts';
import { API_KEY } from '../reference.ts';

export const COMMAND = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** Node's HTTP server refuses an unknown method itself, before a served `fetch` sees it. */
export const UNKNOWN_METHOD = 'A valid method that no service knows returns 501';

/** Runs the command against a served `fetch`. */
export async function runAgainst(fetch: Fetch, ...args: string[]) {
  await using deployment = await serveFetch(fetch);
  const target = ['--base-url', deployment.baseUrl, '--api-key', API_KEY];
  return await runCommand([...target, '--skip', UNKNOWN_METHOD, ...args]);
}

/** Runs the built command to its end. */
export async function runCommand(args: readonly string[], environment: Record<string, string> = {}) {
  const { PATH } = process.env;
  const child = spawn(process.execPath, [COMMAND, ...args], {
    env: { PATH, ...COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { stdout, stderr, code, lines: stdout.trimEnd().split('\n') };
}
