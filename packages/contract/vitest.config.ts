import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    reporters: ['default', 'json'],
    outputFile: { json: 'reports/vitest.json' },
    // To load the sources once, not for each file, takes less than half of the time.
    isolate: false,
    maxWorkers: '100%',
  },
});
