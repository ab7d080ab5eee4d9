import { defineConfig } from 'vitest/config';
import { patience, reporting } from '../../vitest.shared.ts';

export default defineConfig({
  test: {
    ...reporting,
    globalSetup: '@petstore/test-support/databases/postgres-setup',
    // To load the server and its dependencies once, not for each file, saves a minute of processor time.
    isolate: false,
    // More workers than the two cores of most machines for tests, because many tests wait for processes.
    maxWorkers: 3,
    ...patience,
  },
});
