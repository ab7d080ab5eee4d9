import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: fileURLToPath(import.meta.resolve('@petstore/test-support/databases/postgres-setup')),
    reporters: ['default', 'json'],
    outputFile: { json: 'reports/vitest.json' },
    // They wait more than they work.
    maxWorkers: 2,
    // A browser and servers start, and the machine may be busy: this is for what never comes.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
