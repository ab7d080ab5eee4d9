import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    reporters: ['default', 'json'],
    outputFile: { json: 'reports/vitest.json' },
    // Tests that wait for a time limit wait at the same time.
    maxConcurrency: 20,
    testTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
  },
});
