import { defineConfig } from 'vitest/config';

/** The recipes are followed on a copy of the repository, again and again, so they have a command of their own. */
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
