/** Prints results for people, and writes JSON that scripts/test.ts counts. */
export const reporting = {
  reporters: ['default', 'json'],
  outputFile: { json: 'reports/vitest.json' },
};

/** Timeouts of tests. They are long, because tests start processes and the machine may be busy. */
export const timeouts = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
};

export const packageTests = {
  ...reporting,
  ...timeouts,
  setupFiles: `${import.meta.dirname}/packages/test-support/src/real-timers.ts`,
  // Each worker loads the sources and the dependencies once, not for each file. By default, a core would stay idle.
  isolate: false,
  maxWorkers: '100%',
};

/** The configuration of a package without settings of its own. */
export default { test: packageTests };
