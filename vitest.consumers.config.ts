import { defineConfig } from 'vitest/config';

/** The consumer tests need the npm registry and minutes, so they have a command of their own. */
export default defineConfig({
  test: {
    include: ['tests/consumers/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    reporters: ['default', 'json'],
    outputFile: { json: 'reports/consumers.json' },
  },
});
