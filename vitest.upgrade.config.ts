import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The upgrade test builds another release, so it has a command of its own. */
export default defineConfig({
  test: {
    include: ['tests/upgrade/*.test.ts'],
    globalSetup: [
      fileURLToPath(import.meta.resolve('@petstore/test-support/databases/postgres-setup')),
      'tests/upgrade/setup.ts',
    ],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    maxWorkers: 1,
    reporters: ['default', 'json'],
    outputFile: { json: 'reports/upgrade.json' },
  },
});
