import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { patience, reporting } from '../vitest.shared.ts';

const globalSetup = fileURLToPath(import.meta.resolve('@petstore/test-support/databases/postgres-setup'));

export default defineConfig({
  test: {
    ...reporting,
    projects: [
      {
        // Loading the dependencies once instead of for each file saves time.
        test: { name: 'repository', include: ['*.test.ts', 'faults/*.test.ts'], isolate: false, ...patience },
      },
      {
        test: { name: 'histories', include: ['histories/*.test.ts'], globalSetup, ...patience },
      },
      {
        // Each recipe is followed on a copy of the repository. All tests of the copy take minutes.
        test: {
          name: 'recipes',
          include: ['recipes/*.test.ts'],
          maxWorkers: 1,
          testTimeout: 1_800_000,
          hookTimeout: 1_800_000,
        },
      },
      {
        // These install, build and start a copy of the repository.
        test: {
          name: 'checkout',
          include: ['checkout/*.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        // Each mistake is made on a copy of the repository, which is compiled.
        test: {
          name: 'mistakes',
          include: ['mistakes/*.test.ts'],
          maxWorkers: 1,
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        // These install the packed packages from the npm registry.
        test: {
          name: 'consumers',
          include: ['consumers/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        // These need the Debian packages haproxy, nginx, pgbouncer, gcc and python3, and measure times.
        test: {
          name: 'system',
          include: ['system/*.test.ts'],
          maxWorkers: 1,
          globalSetup,
          ...patience,
        },
      },
    ],
  },
});
