import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { patience, reporting } from '../../vitest.shared.ts';

/** Compares times, which other tests would disturb: it runs after those of all packages. */
const MEASURING = ['tests/storage/large-catalogue.test.ts'];

export default defineConfig({
  test: {
    ...reporting,
    globalSetup: fileURLToPath(import.meta.resolve('@petstore/test-support/databases/postgres-setup')),
    projects: [
      {
        test: {
          name: 'side by side',
          include: ['{src,tests}/**/*.test.ts'],
          exclude: MEASURING,
          // To load the server and its dependencies once, not for each file, saves a minute of processor time.
          isolate: false,
          // Many of them wait for processes.
          maxWorkers: 3,
          ...patience,
        },
      },
      { test: { name: 'measuring', include: MEASURING, ...patience } },
    ],
  },
});
