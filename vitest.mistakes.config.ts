import { defineConfig } from 'vitest/config';

/** Each mistake is made in a copy of the repository, which is built: that takes minutes. */
export default defineConfig({
  test: {
    include: ['tests/mistakes/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    maxWorkers: 1,
    reporters: ['default', 'json'],
    outputFile: { json: 'reports/mistakes.json' },
  },
});
