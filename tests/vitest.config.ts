import { defineConfig } from 'vitest/config';
import { reporting, timeouts } from '../vitest.shared.ts';

const globalSetup = '@petstore/test-support/databases/postgres-setup';

/** The tests of a folder, each of which takes minutes. */
function slow(name: string, { minutes }: { minutes: number }) {
  const timeout = minutes * 60_000;
  return {
    test: { name, include: [`${name}/*.test.ts`], maxWorkers: 1, testTimeout: timeout, hookTimeout: timeout },
  };
}

export default defineConfig({
  test: {
    ...reporting,
    projects: [
      // Loading the dependencies once instead of for each file saves time.
      { test: { name: 'repository', include: ['{,faults/}*.test.ts'], isolate: false, ...timeouts } },
      { test: { name: 'histories', include: ['histories/*.test.ts'], globalSetup, ...timeouts } },
      // These install, build and run copies of the repository, or apps with packages from the npm registry.
      slow('recipes', { minutes: 30 }),
      slow('mistakes', { minutes: 10 }),
      slow('checkout', { minutes: 10 }),
      slow('consumers', { minutes: 5 }),
      // These need the Debian packages haproxy, nginx, pgbouncer, gcc and python3, and measure times.
      { test: { name: 'system', include: ['system/*.test.ts'], maxWorkers: 1, globalSetup, ...timeouts } },
    ],
  },
});
