/** For people, and as JSON for tools. */
export const reporting = {
  reporters: ['default', 'json'],
  outputFile: { json: 'reports/vitest.json' },
};

/** The limits of what never comes. They are long, because processes start and the machine may be busy. */
export const patience = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
};
