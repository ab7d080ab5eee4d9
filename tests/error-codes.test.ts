import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import openApi from '../packages/contract/openapi.json' with { type: 'json' };

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The service lets the second request wait for the response to the first instead. */
const NEVER_THROWN = ['idempotency_key_in_flight'];

const sources = globSync('apps/server/src/**/*.ts', { cwd: ROOT })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(ROOT, file), 'utf8'))
  .join('\n');

describe('the server throws', () => {
  const codes = openApi.components.schemas.ErrorCode.examples.filter((code) => !NEVER_THROWN.includes(code));
  test.each(codes)('%s', (code) => {
    expect(sources.includes(`'${code}'`)).toBe(true);
  });
});
