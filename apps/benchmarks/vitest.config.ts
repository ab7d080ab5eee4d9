import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Processes start, and other tests may be running beside.
    testTimeout: 30_000,
    reporters: ['default', 'json'],
    outputFile: { json: 'reports/vitest.json' },
  },
});
