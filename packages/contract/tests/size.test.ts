import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build as buildWithEsbuild } from 'esbuild';
import { build as buildWithRolldown } from 'rolldown';
import { expect, test } from 'vitest';

const SOURCE = "import { NewPet } from '@petstore/contract'; console.log(NewPet.safeParse({}));";
const folder = fileURLToPath(new URL('.', import.meta.url));

const bundlers: Record<string, () => Promise<string>> = {
  async esbuild() {
    const { outputFiles } = await buildWithEsbuild({
      stdin: { contents: SOURCE, resolveDir: folder },
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
    });
    return outputFiles[0]?.text ?? '';
  },
  async rolldown() {
    const { output } = await buildWithRolldown({
      input: 'entry',
      write: false,
      output: { minify: true },
      plugins: [
        {
          name: 'entry',
          resolveId: (id) => (id === 'entry' ? `${folder}entry.js` : null),
          load: (id) => (id.endsWith('entry.js') ? SOURCE : null),
        },
      ],
    });
    return output[0].code;
  },
};

test.each(Object.entries(bundlers))(
  'a bundle of NewPet alone has at most 8 kB with %s',
  async (_name, bundle) => {
    const code = await bundle();
    expect(code).toContain('is required');
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(8_000);
  },
);
