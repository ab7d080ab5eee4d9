import { defineConfig } from 'vitest/config';
import { patience, reporting } from '../../vitest.shared.ts';

export default defineConfig({
  test: {
    ...reporting,
    ...patience,
    // Loads the dependencies once, not for each file.
    isolate: false,
    maxWorkers: '100%',
  },
});
