import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { patience } from './vitest.shared.ts';

/** These tests need the Debian packages haproxy, nginx, pgbouncer, gcc and python3, so they have a command of their own. */
export default defineConfig({
  test: {
    ...patience,
    include: ['tests/system/*.test.ts'],
    globalSetup: fileURLToPath(import.meta.resolve('@petstore/test-support/databases/postgres-setup')),
    // The system tests measure times.
    maxWorkers: 1,
    reporters: ['default', 'json'],
    outputFile: { json: 'reports/system.json' },
  },
});
