import { defineConfig } from 'vitest/config';
import { patience, reporting } from '../../vitest.shared.ts';

export default defineConfig({
  test: {
    ...reporting,
    ...patience,
    // Loads the sources once, not for each file, which takes half of the time.
    isolate: false,
    maxWorkers: '100%',
    // Tests that wait for a time limit wait at the same time.
    maxConcurrency: 20,
  },
});
