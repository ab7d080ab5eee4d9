import { defineConfig, type RolldownOptions } from 'rolldown';

// The two small modules of the contract that every app needs are bundled in, so that the main entry imports
// nothing; the contract with its schemas stays outside.
const shared = {
  platform: 'neutral',
  external: [/^(?!\.|\/|@petstore\/contract\/(?:json|link)$)/],
} satisfies RolldownOptions;

const output = { chunkFileNames: '[name].js', sourcemap: true };

/** The entries that contain the client. */
const clients = {
  index: 'src/index.ts',
  'integrations/ts-rest': 'src/integrations/ts-rest.ts',
};

/** The published modules. */
export default defineConfig([
  {
    ...shared,
    input: {
      ...clients,
      'integrations/msw': 'src/integrations/msw.ts',
      'integrations/node': 'src/integrations/node.ts',
      'testing/memory-pet-store': 'src/testing/memory-pet-store.ts',
    },
    output: { ...output, dir: 'dist', cleanDir: true },
  },
  {
    // What bundlers take for production in browsers: without what only developers read.
    ...shared,
    input: clients,
    plugins: [
      {
        name: 'no-diagnostics',
        resolveId: (specifier, importer) =>
          specifier.endsWith('/with-diagnostics.ts') && importer !== undefined
            ? new URL('src/diagnostics/no-diagnostics.ts', import.meta.url).pathname
            : null,
      },
    ],
    output: { ...output, dir: 'dist/production' },
  },
]);
