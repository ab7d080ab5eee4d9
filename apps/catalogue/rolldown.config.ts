import { defineConfig } from 'rolldown';

export default defineConfig({
  // Bundles all dependencies: the image has only Node.js, package.json and dist.
  input: 'src/cli.ts',
  platform: 'node',
  // In a path with # or [, Rolldown does not find this file by itself, and would import the JSX runtime of React.
  tsconfig: 'tsconfig.json',
  // Node 22 does not know `using` yet.
  transform: { target: 'es2024' },
  // `dist` is not emptied: `pnpm dev` would restart the app while dist/cli.js is missing.
  output: { dir: 'dist', chunkFileNames: '[name].js', sourcemap: true },
});
