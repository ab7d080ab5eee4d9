import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    reporters: ['default', 'json'],
    outputFile: { json: 'reports/vitest.json' },
    // To load the sources once, not for each file, takes half of the time.
    isolate: false,
    maxWorkers: '100%',
    // Tests that wait for a time limit wait at the same time.
    maxConcurrency: 20,
    testTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
