import { defineConfig } from 'vitest/config';
import { patience, reporting } from '../../vitest.shared.ts';

export default defineConfig({
  test: {
    ...reporting,
    ...patience,
    // To load the dependencies once, not for each file, saves time.
    isolate: false,
  },
});
