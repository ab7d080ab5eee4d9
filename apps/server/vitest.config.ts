import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Processes start, and other tests may be running beside.
    testTimeout: 30_000,
    globalSetup: 'tests/support/global-setup.ts',
    reporters: ['default', 'json'],
    outputFile: { json: 'reports/vitest.json' },
  },
});
