import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** These measure time or memory, which other tests would disturb. */
const MEASURING = ['tests/{flood,fuzz,hostile,large-catalogue,overload,slow-clients}.test.ts'];

// Long, because processes start and the machine may be busy: they are for what never comes.
const patience = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 15_000 } } };

export default defineConfig({
  test: {
    globalSetup: fileURLToPath(import.meta.resolve('@petstore/test-support/postgres-setup')),
    reporters: ['default', 'json'],
    outputFile: { json: 'reports/vitest.json' },
    projects: [
      {
        test: {
          name: 'side by side',
          include: ['{src,tests}/**/*.test.ts'],
          exclude: MEASURING,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
          ...patience,
        },
      },
      {
        test: { name: 'alone', include: MEASURING, maxWorkers: 1, sequence: { groupOrder: 1 }, ...patience },
      },
    ],
  },
});
