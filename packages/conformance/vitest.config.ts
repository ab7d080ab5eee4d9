import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    reporters: ['default', 'json'],
    outputFile: { json: 'reports/vitest.json' },
    // To load the sources once, not for each file, saves time.
    isolate: false,
    maxWorkers: '100%',
    // The command runs the whole suite as a process of its own, beside whatever else the machine does.
    testTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
