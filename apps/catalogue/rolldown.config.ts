import { defineConfig } from 'rolldown';

const script = (name: string) => ({
  input: `browser/${name}.ts`,
  platform: 'browser' as const,
  tsconfig: 'browser/tsconfig.json',
  output: { file: `dist/assets/${name}.js`, format: 'esm' as const, minify: true },
});

export default defineConfig([
  {
    // The app with all that it imports: a container needs Node.js and this folder.
    input: 'src/cli.ts',
    platform: 'node',
    // Node 22 does not know `using` yet.
    transform: { target: 'es2024' },
    output: { dir: 'dist', cleanDir: true, chunkFileNames: '[name].js', sourcemap: true },
  },
  // One file each: a page loads one request's worth of script, and only the form loads the schemas.
  script('page'),
  script('form'),
]);
