import { defineConfig } from 'vitest/config';
import { packageTests } from '../../vitest.shared.ts';

export default defineConfig({
  test: {
    ...packageTests,
    // Tests that wait for a time limit wait at the same time.
    maxConcurrency: 20,
  },
});
