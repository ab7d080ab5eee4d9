import { defineConfig } from 'rolldown';

export default defineConfig({
  input: 'browser/docs-page.ts',
  platform: 'browser',
  tsconfig: 'browser/tsconfig.json',
  output: { dir: 'assets', entryFileNames: 'page.js', format: 'iife', cleanDir: true },
});
