import { defineConfig } from 'vitest/config';

/** A million lines take minutes, so this has a command of its own: `pnpm test:large`. */
export default defineConfig({
  test: {
    include: ['tests/large/*.test.ts'],
    testTimeout: 3_600_000,
    reporters: ['default', 'json'],
    outputFile: { json: 'reports/large.json' },
  },
});
