import { defineConfig } from 'rolldown';

/**
 * The published modules. The two small modules of the contract that every app needs are bundled in, so that the
 * main entry imports nothing; the contract with its schemas stays outside.
 */
export default defineConfig({
  input: {
    index: 'src/index.ts',
    'integrations/msw': 'src/integrations/msw.ts',
    'integrations/node': 'src/integrations/node.ts',
    'integrations/tanstack-query': 'src/integrations/tanstack-query.ts',
    'integrations/ts-rest': 'src/integrations/ts-rest.ts',
    'integrations/validate': 'src/integrations/validate.ts',
    'testing/index': 'src/testing/index.ts',
  },
  platform: 'neutral',
  external: [/^(?!\.|\/|@petstore\/contract\/(?:json|link)$)/],
  output: { dir: 'dist', cleanDir: true, chunkFileNames: '[name].js', sourcemap: true },
});
