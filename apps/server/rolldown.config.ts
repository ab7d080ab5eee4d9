import { defineConfig } from 'rolldown';

/**
 * The service with all that it imports, in few files: Node loads them in half the time that it takes for a
 * thousand, and into less memory.
 */
export default defineConfig({
  input: 'src/cli.ts',
  platform: 'node',
  // Node 22 does not know `using` yet.
  transform: { target: 'es2024' },
  // It looks for its binary beside itself.
  external: ['better-sqlite3'],
  output: { dir: 'dist', cleanDir: true, chunkFileNames: '[name].js', sourcemap: true },
});
