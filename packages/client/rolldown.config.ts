import { defineConfig } from 'rolldown';

export default defineConfig({
  input: {
    index: 'src/index.ts',
    'diagnostics/no-diagnostics': 'src/diagnostics/no-diagnostics.ts',
    'diagnostics/with-diagnostics': 'src/diagnostics/with-diagnostics.ts',
    'integrations/msw': 'src/integrations/msw.ts',
    'integrations/node': 'src/integrations/node.ts',
    'integrations/ts-rest': 'src/integrations/ts-rest.ts',
    'testing/memory-pet-store': 'src/testing/memory-pet-store.ts',
  },
  platform: 'neutral',
  // Two small modules of the contract are bundled, so that the main entry imports no other package.
  external: [/^(?!\.|\/|@petstore\/contract\/(?:json|link)$)/],
  plugins: [
    {
      name: 'diagnostics',
      // `imports` in package.json gives production bundles for browsers the module without diagnostics.
      resolveId: (specifier, importer) =>
        specifier.endsWith('/with-diagnostics.ts') && importer !== undefined
          ? { id: '#diagnostics', external: true }
          : null,
    },
  ],
  output: { dir: 'dist', cleanDir: true, chunkFileNames: '[name].js', sourcemap: true },
});
