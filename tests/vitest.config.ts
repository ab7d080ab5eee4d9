import { defineConfig } from 'vitest/config';
import { patience, reporting } from '../vitest.shared.ts';

const globalSetup = '@petstore/test-support/databases/postgres-setup';

/** The tests of a folder, each of which takes minutes. */
function slow(name: string, minutes: number, maxWorkers = 1) {
  const timeout = minutes * 60_000;
  return {
    test: { name, include: [`${name}/*.test.ts`], maxWorkers, testTimeout: timeout, hookTimeout: timeout },
  };
}

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
      // These install, build and run copies of the repository, or apps with packages from the npm registry.
      slow('recipes', 30),
      slow('mistakes', 10),
      slow('checkout', 10),
      slow('consumers', 5, 2),
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
