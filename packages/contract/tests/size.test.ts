import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

test('a bundle of NewPet alone has at most 8 kB', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: "import { NewPet } from '@petstore/contract'; console.log(NewPet.safeParse({}));",
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  const code = outputFiles[0]?.text ?? '';
  expect(code).toContain('is required');
  expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(8_000);
});
