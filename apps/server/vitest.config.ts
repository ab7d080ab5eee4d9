import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { patience, reporting } from '../../vitest.shared.ts';

/** These compare times, which other tests would disturb: they run after those of all packages. */
const MEASURING = ['tests/{storage/large-catalogue,hostile/overload,hostile/slow-requests}.test.ts'];

/**
 * These replace modules, which has no effect where another file has loaded them before, or measure the
 * memory of their own process.
 */
const ISOLATED = ['tests/hostile/{connections,refused-requests}.test.ts'];

export default defineConfig({
  test: {
    ...reporting,
    globalSetup: fileURLToPath(import.meta.resolve('@petstore/test-support/databases/postgres-setup')),
    projects: [
      {
        test: {
          name: 'side by side',
          include: ['{src,tests}/**/*.test.ts'],
          exclude: [...MEASURING, ...ISOLATED],
          // To load the server and its dependencies once, not for each file, saves a minute of processor time.
          isolate: false,
          // Many of them wait for processes.
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
          ...patience,
        },
      },
      {
        test: { name: 'isolated', include: ISOLATED, sequence: { groupOrder: 1 }, ...patience },
      },
      {
        test: {
          name: 'measuring',
          include: MEASURING,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
          ...patience,
        },
      },
    ],
  },
});
