import { defineConfig } from 'rolldown';

/**
 * The published modules. The two small modules of the contract that every app needs are bundled in, so that the
 * main entry imports nothing; the contract with its schemas stays outside.
 */
export default defineConfig({
  input: {
    index: 'src/index.ts',
    msw: 'src/msw.ts',
    node: 'src/node.ts',
    'tanstack-query': 'src/tanstack-query.ts',
    'testing/index': 'src/testing/index.ts',
    'ts-rest': 'src/ts-rest.ts',
    validate: 'src/validate.ts',
  },
  platform: 'neutral',
  external: [/^(?!\.|\/|@petstore\/contract\/(?:json|link)$)/],
  output: { dir: 'dist', cleanDir: true, chunkFileNames: '[name].js', sourcemap: true },
});
