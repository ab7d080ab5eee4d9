import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { describe, expect, test } from 'vitest';
import { operations } from '../src/contract.ts';

/** The minified bundle of an app for browsers. */
async function bundle(source: string): Promise<string> {
  const { outputFiles } = await esbuild.build({
    stdin: { contents: source, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

/** 5 kB with the three operations of the interface document, and 0.2 kB for each that is added. */
const LIMIT = 5_000 + 200 * (Object.keys(operations).length - 3);

const gzippedSize = (code: string) => gzipSync(code, { level: 9 }).length;

describe('an app', () => {
  test('grows by less than 5 kB for three operations, minified and gzipped, by the client', async () => {
    const code = await bundle(
      "import { createPetStore, isPetStoreError } from '@petstore/client'; console.log(createPetStore, isPetStoreError)",
    );
    expect(gzippedSize(code)).toBeLessThan(LIMIT);
    expect(code).not.toMatch(/\bimport\b|\brequire\b/);
  });

  test('grows by less than 5 kB for three operations, minified and gzipped, by the fetcher for ts-rest', async () => {
    const code = await bundle("export * from '@petstore/client/ts-rest'");
    expect(gzippedSize(code)).toBeLessThan(LIMIT);
  });
});
