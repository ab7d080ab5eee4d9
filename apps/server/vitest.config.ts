import { defineConfig } from 'vitest/config';
import { packageTests } from '../../vitest.shared.ts';

export default defineConfig({
  test: {
    ...packageTests,
    globalSetup: '@petstore/test-support/databases/postgres-setup',
    // More workers than the two cores of most machines for tests, because many tests wait for processes.
    maxWorkers: 3,
  },
});
