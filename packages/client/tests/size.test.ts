import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { expect, test } from 'vitest';
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

/** 7 kB with the three operations of the interface document, and 0.2 kB for each that is added. */
const LIMIT = 7_000 + 200 * (Object.keys(operations).length - 3);

const CLIENT =
  "import { createPetStore, isPetStoreError } from '@petstore/client'; console.log(createPetStore, isPetStoreError)";

test.each([
  ['client', CLIENT],
  ['fetcher for ts-rest', "export * from '@petstore/client/ts-rest'"],
])(
  'the %s adds less than 7 kB to an app, minified and gzipped, for three operations',
  async (_part, source) => {
    const code = await bundle(source);
    expect(gzipSync(code, { level: 9 }).length).toBeLessThan(LIMIT);
    if (source === CLIENT) expect(code).not.toMatch(/\bimport\b|\brequire\b/);
  },
);
