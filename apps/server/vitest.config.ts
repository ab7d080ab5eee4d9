import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** They measure time or memory, which nothing beside them is to disturb. */
const MEASURING = ['tests/{flood,fuzz,growth,hostile,overload,slow}.test.ts'];

// Processes start, and the machine may be busy: these are for what never comes, not for what comes late.
const patience = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 15_000 } } };

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
