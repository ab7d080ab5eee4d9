import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    reporters: ['default', 'json'],
    outputFile: { json: 'reports/vitest.json' },
    // The command runs the whole suite as a process of its own, beside whatever else the machine does.
    testTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
  },
});
