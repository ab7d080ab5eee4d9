import { defineConfig } from 'rolldown';

export default defineConfig({
  input: {
    index: 'src/index.ts',
    'integrations/node': 'src/integrations/node.ts',
    'integrations/ts-rest': 'src/integrations/ts-rest.ts',
    'testing/memory-pet-store': 'src/testing/memory-pet-store.ts',
  },
  platform: 'neutral',
  // Bundles only two small modules of the contract, so that the main entry imports no package.
  external: [/^(?!\.|\/|@petstore\/contract\/(?:json|link)$)/],
  output: { dir: 'dist', chunkFileNames: '[name].js', sourcemap: true },
});
