import { defineConfig } from 'rolldown';

export default defineConfig([
  {
    // Bundles all dependencies: the image has only Node.js, package.json and dist.
    input: 'src/cli.ts',
    platform: 'node',
    // Node 22 does not know `using` yet.
    transform: { target: 'es2024' },
    // Not emptied: `pnpm dev` would restart the app without its program.
    output: { dir: 'dist', chunkFileNames: '[name].js', sourcemap: true },
  },
  {
    input: 'browser/page.ts',
    platform: 'browser',
    output: { file: 'dist/assets/page.js', format: 'esm', minify: true },
  },
]);
