import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{src,tests}/*.test.ts'],
    // Processes start, and the machine may be busy.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default', 'json'],
    outputFile: { json: 'reports/vitest.json' },
    expect: { poll: { timeout: 60_000 } },
  },
});
