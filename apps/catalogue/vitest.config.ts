import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { patience, reporting } from '../../vitest.shared.ts';

export default defineConfig({
  test: {
    ...reporting,
    ...patience,
    globalSetup: fileURLToPath(import.meta.resolve('@petstore/test-support/databases/postgres-setup')),
    // They wait more than they work.
    maxWorkers: 2,
  },
});
