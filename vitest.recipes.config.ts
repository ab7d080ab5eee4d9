import { defineConfig } from 'vitest/config';

/** Each recipe is followed on a copy of the repository, which is built and tested: that takes minutes. */
export default defineConfig({
  test: {
    include: ['tests/recipes/*.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    maxWorkers: 1,
    reporters: ['default', 'json'],
    outputFile: { json: 'reports/recipes.json' },
  },
});
